// Parts a block of Swift into imports, declarations for the file's scope, and statements.
//
// Swift has declarations that cannot stand in a function: extensions, operators, types that are extended. So what is
// declared at the left margin moves out of the page's function, as it would in a program's main file. No parser is needed:
// a declaration at the margin ends before the next line at the margin that does not close something.

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
func split(_ lines: [String], from first: Int) -> Parts {
    var parts = Parts()
    var index = 0
    var inText = false
    while index < lines.count {
        let line = lines[index]
        if !inText, Head.isImport(line) {
            parts.imports.append((first + index, line))
            parts.statements.append("")
        } else if !inText, let head = Head(lines[index...]), head.movesOut {
            let end = endOfDeclaration(lines, from: index, headLines: head.lines)
            parts.declarations.append(
                Declaration(line: first + index, lines: Array(lines[index..<end]), head: head))
            parts.statements += Array(repeating: "", count: end - index)
            index = end
            continue
        } else {
            parts.statements.append(line)
            if opensOrClosesText(line) { inText.toggle() }
        }
        index += 1
    }
    return parts
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
