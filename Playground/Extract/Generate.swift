// Writes the Swift of a page, and of the index of all pages.

/// A page of Markdown.
struct Source {
    /// The path from the top of the project.
    let path: String
    /// The path for the compiler's messages.
    let file: String
    let blocks: [Block]

    /// The path as a name of Swift.
    var name: String { path.dropLast(3).map { $0.isLetter || $0.isNumber ? "\($0)" : "_" }.joined() }

    /// The name of the page's function.
    var function: String { "page_\(name)" }

    var runs: Bool { blocks.contains { $0.kind == .run } }
}

/// The page's Swift: imports, declarations, the function that runs its blocks, and a type for each block that only compiles.
func swift(of page: Source) -> String {
    var text = Text(file: page.file)
    let staying = functionsThatStay(in: page.blocks.filter { $0.kind == .run }.map(\.lines))
    let running = page.blocks.map { $0.kind == .run ? split($0.lines, from: $0.line, staying: staying) : Parts() }
    let compiling = page.blocks.filter { $0.kind == .noRun }.map { block in
        (block.line, split(block.lines, from: block.line, staying: functionsThatStay(in: [block.lines])))
    }

    text.add("// Made from \(page.path) by Playground/Extract.")
    for (line, imported) in (running + compiling.map(\.1)).flatMap(\.imports) { text.add([imported], at: line) }
    for declaration in running.flatMap(\.declarations) { text.add(declaration) }
    for (line, parts) in compiling { text.addCompileOnly(parts, line: line, scope: "\(page.name)_line\(line)") }
    guard page.runs else { return text.result }

    text.add("@MainActor func \(page.function)() async throws {")
    for (block, parts) in zip(page.blocks, running) {
        switch block.kind {
        case .run:
            text.add("pageBlock(\(block.line))")
            text.add(parts.statements, at: block.line)
        case .output: text.add("pageOutput()")
        case .noRun: break
        }
    }
    text.add("}")
    return text.result
}

/// The list of the pages that have something to run.
func index(of pages: [Source]) -> String {
    let items = pages.filter(\.runs).map { page in
        let outputs = page.blocks.filter { $0.kind == .output }.map { block in
            "Output(line: \(block.line), text: \(literal(block.lines.joined(separator: "\n"))))"
        }
        return "Page(path: \(literal(page.path)), outputs: [\(outputs.joined(separator: ", "))], run: \(page.function))"
    }
    return """
        // Made by Playground/Extract.
        extension Page {
            /// Every page that has something to run.
            public static let all: [Page] = [
                \(items.joined(separator: ",\n        "))
            ]
        }

        """
}

/// A string literal of one line.
func literal(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined() + "\""
}

/// Swift that is being written, with the places where it came from.
private struct Text {
    let file: String
    var result = ""

    mutating func add(_ line: String) { result += line + "\n" }

    mutating func add(_ lines: [String], at line: Int) {
        guard lines.contains(where: { !$0.isEmpty }) else { return }
        add("#sourceLocation(file: \(literal(file)), line: \(line))")
        lines.forEach { add($0) }
        add("#sourceLocation()")
    }

    /// A declaration of the page, seen from this page alone.
    mutating func add(_ declaration: Declaration) {
        var lines = declaration.lines
        let head = declaration.head
        if head.takesPrivate {
            let keyword = lines[head.lines - 1].dropFirst(head.column)
            lines[head.lines - 1] = lines[head.lines - 1].prefix(head.column) + "private " + keyword
        }
        add(lines, at: declaration.line)
    }

    /// A block that only compiles: a type for its declarations, a method for its statements. Extensions stand outside, where
    /// the language wants them, and reach a type of the block by its full name.
    mutating func addCompileOnly(_ parts: Parts, line: Int, scope: String) {
        let own = Set(parts.declarations.filter(\.head.isType).map(\.head.name))
        let outside = parts.declarations.filter { !$0.head.mayBeNested }
        for declaration in outside {
            guard declaration.head.isExtension, own.contains(declaration.head.name) else {
                add(declaration)
                continue
            }
            let head = declaration.head.lines - 1
            var lines = declaration.lines
            lines[head].replace("extension ", with: "extension \(scope).", maxReplacements: 1)
            add(lines, at: declaration.line)
        }
        add("private struct \(scope) {")
        for declaration in parts.declarations where declaration.head.mayBeNested {
            add(declaration.lines, at: declaration.line)
        }
        add("@MainActor func statements() async throws {")
        add(parts.statements, at: line)
        add("}")
        add("}")
    }
}

extension Head {
    /// Whether it may stand inside a type.
    fileprivate var mayBeNested: Bool { !["extension", "operator", "precedencegroup"].contains(keyword) }
}
