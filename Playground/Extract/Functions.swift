// Decides which functions at the margin stay in the page's function: those that use its values.
//
// In a program's main file a function is global. A local one could neither be called by a type nor go to another thread, so
// whatever needs no value of the page moves out.

/// The names of the functions in these blocks that use a value declared at the margin, or a function that does.
func functionsThatStay(in blocks: [[String]]) -> Set<String> {
    var used = Set<String>()
    var functions: [(name: String, words: Set<String>)] = []
    for declaration in blocks.flatMap(marginDeclarations) {
        let head = declaration.head
        switch head.keyword {
        case "let", "var": used.formUnion(head.hasAccess ? [] : head.names)
        case "func": functions.append((head.name, words(in: declaration.lines)))
        default: break
        }
    }
    var staying = Set<String>()
    while let next = functions.first(where: { !staying.contains($0.name) && !used.isDisjoint(with: $0.words) }) {
        staying.insert(next.name)
        used.insert(next.name)
    }
    return staying
}

/// The names in a text, without those of members.
private func words(in lines: [String]) -> Set<String> {
    var words = Set<String>()
    for line in lines {
        var before: Character = " "
        var rest = line[...]
        while let first = rest.first {
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if word.isEmpty {
                before = first
                rest = rest.dropFirst()
            } else {
                if before != "." { words.insert(String(word)) }
                before = " "
                rest = rest.dropFirst(word.count)
            }
        }
    }
    return words
}
