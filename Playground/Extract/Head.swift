// Reads the head of a declaration: attributes, modifiers, the keyword and the name.

/// The head of a declaration at the left margin.
struct Head: Equatable {
    /// How many lines attributes of their own lines and the keyword's line take.
    let lines: Int
    /// How many characters of attributes stand before the first modifier or the keyword, in the last of these lines.
    let column: Int
    let attributes: [String]
    let modifiers: [String]
    let keyword: String
    /// What stands behind the keyword, up to the end of that line.
    let rest: String

    private static let access: Set = ["private", "fileprivate", "internal", "package", "public", "open"]
    private static let modifierWords: Set = access.union([
        "final", "indirect", "nonisolated", "nonisolated(unsafe)", "distributed", "prefix", "postfix", "infix",
    ])
    private static let types: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let outside: Set = types.union(["extension", "operator", "precedencegroup"])
    private static let keywords: Set = outside.union(["func", "let", "var"])

    /// Reads a head, where the first of these lines begins one.
    init?(_ source: ArraySlice<String>) {
        var attributes: [String] = []
        var modifiers: [String] = []
        for (count, line) in source.enumerated() {
            guard let first = line.first, first != " " else { return nil }
            var text = line[...]
            while let attribute = Self.attribute(&text) { attributes.append(attribute) }
            if text.isEmpty, !attributes.isEmpty { continue }
            let column = line.count - text.count
            while true {
                let word = text.prefix { !$0.isWhitespace && $0 != "{" && $0 != ":" }
                text = text.dropFirst(word.count).drop { $0 == " " }
                if Self.keywords.contains(String(word)), !text.isEmpty {
                    self.init(
                        lines: count + 1, column: column, attributes: attributes, modifiers: modifiers,
                        keyword: String(word), rest: String(text))
                    return
                }
                guard Self.modifierWords.contains(String(word)) else { return nil }
                modifiers.append(String(word))
            }
        }
        return nil
    }

    private init(
        lines: Int, column: Int, attributes: [String], modifiers: [String], keyword: String, rest: String
    ) {
        self.lines = lines
        self.column = column
        self.attributes = attributes
        self.modifiers = modifiers
        self.keyword = keyword
        self.rest = rest
    }

    /// Types, extensions, operators and tests; functions but for those that stay; whatever says its access, which nothing in
    /// a function can.
    func movesOut(staying: Set<String>) -> Bool {
        Self.outside.contains(keyword) || hasAccess || attributes.contains { $0.hasPrefix("@Test") }
            || (keyword == "func" && !staying.contains(name))
    }

    var hasAccess: Bool { modifiers.contains { Self.access.contains($0) } }

    var isExtension: Bool { keyword == "extension" }

    /// Whether `private` may stand before it: not where the access is said, nor where the language allows none.
    var takesPrivate: Bool {
        if hasAccess || keyword == "operator" || keyword == "precedencegroup" { return false }
        guard isExtension else { return true }
        return !rest.prefix { $0 != "{" }.split(separator: " where ")[0].contains(":")
    }

    /// The name of a type, or of the type that an extension extends.
    var name: String { String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }

    /// The names of a value, which may be a tuple of them.
    var names: [String] {
        guard rest.first == "(" else { return [name] }
        return rest.dropFirst().prefix { $0 != ")" }.split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    /// Whether it declares a type.
    var isType: Bool { Self.types.contains(keyword) }

    static func isImport(_ line: String) -> Bool {
        var text = line[...]
        while attribute(&text) != nil {}
        return text.hasPrefix("import ")
    }

    /// Takes `@Name` or `@Name(…)` off the front.
    private static func attribute(_ text: inout Substring) -> String? {
        guard text.first == "@" else { return nil }
        var depth = 0
        let attribute = text.prefix { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth > 0 || !character.isWhitespace
        }
        text = text.dropFirst(attribute.count).drop { $0 == " " }
        return String(attribute)
    }
}
