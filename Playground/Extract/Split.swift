// Parts a block of Swift into imports, declarations for the file's scope, and statements.
//
// Swift has declarations that cannot stand in a function: extensions, operators, types that are extended. So what is
// declared at the left margin moves out of the page's function, as it would in a program's main file; functions do when they use
// no value of the page (`Functions.swift`). No parser is needed: a declaration at the margin ends before the next line at the margin that does not close something.

/// A declaration that moves out of the function, with the line where it begins.
struct Declaration: Equatable {
    let line: Int
    let lines: [String]
    let head: Head
}

/// A block of Swift, parted. `statements` keeps an empty line for each line that moved, so lines keep their numbers.
struct Parts: Equatable {
    var imports: [(line: Int, text: String)] = []
    var declarations: [Declaration] = []
    var statements: [String] = []

    static func == (left: Parts, right: Parts) -> Bool {
        left.imports.elementsEqual(right.imports, by: ==) && left.declarations == right.declarations
            && left.statements == right.statements
    }
}

/// Parts a block whose first line has this number.
///
/// - Parameter staying: the functions that stay among the statements.
func split(_ lines: [String], from first: Int, staying: Set<String> = []) -> Parts {
    var parts = Parts()
    parts.statements = lines
    func clear(_ range: Range<Int>) {
        parts.statements.replaceSubrange(range, with: repeatElement("", count: range.count))
    }
    for declaration in marginDeclarations(lines) where declaration.head.movesOut(staying: staying) {
        let start = declaration.line
        parts.declarations.append(
            Declaration(line: first + start, lines: declaration.lines, head: declaration.head))
        clear(start..<start + declaration.lines.count)
    }
    for index in lines.indices where Head.isImport(parts.statements[index]) {
        parts.imports.append((first + index, lines[index]))
        clear(index..<index + 1)
    }
    return parts
}

/// All declarations at the left margin, with the indices of their first lines.
func marginDeclarations(_ lines: [String]) -> [Declaration] {
    var found: [Declaration] = []
    var index = 0
    var inText = false
    while index < lines.count {
        if !inText, let head = Head(lines[index...]) {
            let end = endOfDeclaration(lines, from: index, headLines: head.lines)
            found.append(Declaration(line: index, lines: Array(lines[index..<end]), head: head))
            index = end
        } else {
            if opensOrClosesText(lines[index]) { inText.toggle() }
            index += 1
        }
    }
    return found
}

/// The index after a declaration: its head, then all that is indented, empty, closing, or inside a long string.
private func endOfDeclaration(_ lines: [String], from start: Int, headLines: Int) -> Int {
    var end = start
    var lastInside = start
    var inText = false
    while end < lines.count {
        let line = lines[end]
        let isInside = end < start + headLines || inText || " })]>{.".contains(line.first ?? " ")
        guard isInside else { break }
        if opensOrClosesText(line) { inText.toggle() }
        if !line.isEmpty { lastInside = end }
        end += 1
    }
    return lastInside + 1
}

/// Whether a line begins or ends a string of several lines and does not do both.
private func opensOrClosesText(_ line: String) -> Bool {
    var count = 0
    var rest = line[...]
    while let quote = rest.firstIndex(of: "\"") {
        rest = rest[quote...]
        if rest.hasPrefix("\"\"\"") {
            count += 1
            rest = rest.dropFirst(3)
        } else {
            rest = rest.dropFirst()
        }
    }
    return count % 2 == 1
}
