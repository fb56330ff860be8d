/// Reads a route pattern from left to right and points at the first fault.
///
///     pattern = [scheme "://" | "//" | "/"] segment *("/" segment) ["/"]
///     segment = literal | ":" name ["(" constraint ")"] ["?"] | "*" | "**" [name]
///     constraint = "int" | "uuid" | expression, which `ExpressionParser` reads
struct RoutePatternParser {
    private typealias Segment = RoutePattern.Segment

    private let text: String
    /// By scalars, as URLs are split: a combining mark after a slash does not hide the slash.
    private let scalars: String.UnicodeScalarView
    private var position: String.Index
    private var segments: [Segment] = []
    private var names: Set<String> = []
    private var isLastOptional = false
    private var rest: RoutePattern.Rest?

    init(_ text: String) {
        self.text = text
        scalars = text.unicodeScalars
        position = text.startIndex
    }

    mutating func parse() throws(RoutePatternError) -> RoutePattern.Storage {
        let scheme = try readScheme()
        let host = try readHost(after: scheme)
        while position < scalars.endIndex {
            try readSegment()
            guard position < scalars.endIndex else { break }
            position = scalars.index(after: position)
        }
        return RoutePattern.Storage(
            text: text, scheme: scheme, host: host, segments: segments, isLastOptional: isLastOptional, rest: rest,
            hasTrailingSlash: scalars.last == "/" && (!segments.isEmpty || rest != nil))
    }

    // MARK: Before the segments

    /// The scheme in lower case, where the first slash belongs to `://`.
    private mutating func readScheme() throws(RoutePatternError) -> String? {
        guard let slash = scalars.firstIndex(of: "/"), scalars[slash...].starts(with: "//".unicodeScalars),
            scalars[..<slash].last == ":"
        else { return nil }
        let scheme = scalars[..<scalars.index(before: slash)]
        for index in scheme.indices where !isScheme(scheme[index], first: index == scheme.startIndex) {
            throw fault(at: index, "a scheme is a letter, then letters, digits, +, - or .; start with / for any scheme")
        }
        guard !scheme.isEmpty else {
            throw fault(at: text.startIndex, "a scheme is missing before ://; start with / for any scheme")
        }
        position = scalars.index(slash, offsetBy: 2)
        return String(scheme).lowercased()
    }

    private func isScheme(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z": true
        case "0"..."9", "+", "-", ".": !first
        default: false
        }
    }

    private mutating func readHost(after scheme: String?) throws(RoutePatternError) -> RoutePattern.Host {
        if scheme != nil {
            guard position < scalars.endIndex else { return .any }
            if skip("/") { return .absent }
            return scalars[position...].starts(with: "**".unicodeScalars) ? .any : .required
        }
        guard skip("/") else { return .any }
        guard skip("/") else { return .any }
        if position == scalars.endIndex || scalars[position] == "/" {
            throw fault(at: position, "a host is missing after //")
        }
        return .required
    }

    // MARK: Segments

    private mutating func readSegment() throws(RoutePatternError) {
        if rest != nil { throw fault(at: position, "nothing may follow a **") }
        if isLastOptional { throw fault(at: position, "only the last segment may be optional") }
        if segments.count == RoutePattern.maximumSegments {
            throw fault(at: position, "a pattern has at most \(RoutePattern.maximumSegments) segments")
        }
        switch scalars[position] {
        case "/": throw fault(at: position, "a segment is empty")
        case ":": try readParameter()
        case "*": try readWildcard()
        default: try readLiteral()
        }
    }

    private mutating func readParameter() throws(RoutePatternError) {
        position = scalars.index(after: position)
        let name = try readName()
        guard !name.isEmpty else { throw fault(at: position, "a parameter needs a name: letters, digits, _ or -") }
        let constraint = try readConstraint()
        isLastOptional = skip("?")
        segments.append(.parameter(name: name, constraint))
        try endSegment("a parameter takes a whole segment")
    }

    private mutating func readConstraint() throws(RoutePatternError) -> RouteConstraint? {
        guard skip("(") else { return nil }
        let start = position
        let opening = scalars.index(before: start)
        if let end = scalars[start...].firstIndex(where: { !isLetter($0) }), scalars[end] == ")" {
            position = scalars.index(after: end)
            if start == end { throw fault(at: start, "a constraint is missing between ( and )") }
            if let constraint = RouteConstraint(word: text[start..<end]) { return constraint }
            throw fault(at: start, "no such constraint; there are (int), (uuid) and expressions such as ([a-z]+)")
        }
        var parser = ExpressionParser(scalars, at: start)
        let node: ExpressionNode
        do throws(ExpressionParser.Fault) {
            node = try parser.parse()
        } catch {
            throw fault(at: error.position, error.reason)
        }
        position = parser.position
        let expression = String(text[start..<position])
        guard skip(")") else { throw fault(at: opening, "a ) is missing for this (") }
        return .expression(RouteExpression(text: expression, node))
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool { "a"..."z" ~= scalar || "A"..."Z" ~= scalar }

    private mutating func readWildcard() throws(RoutePatternError) {
        position = scalars.index(after: position)
        if skip("*") {
            let name = try readName()
            rest = name.isEmpty ? .unnamed : .named(name)
            try endSegment("a ** may have a name, and ends the pattern")
        } else {
            segments.append(.any)
            try endSegment("a * stands alone in its segment; write %2A for a literal one")
        }
    }

    private mutating func readName() throws(RoutePatternError) -> String {
        let start = position
        while position < scalars.endIndex, isName(scalars[position]) { position = scalars.index(after: position) }
        let name = String(text[start..<position])
        guard name.isEmpty || names.insert(name).inserted else {
            throw fault(at: start, "the name \(name) is used twice")
        }
        return name
    }

    private func isName(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isXIDContinue || scalar == "-" }

    private mutating func readLiteral() throws(RoutePatternError) {
        let start = position
        while position < scalars.endIndex, scalars[position] != "/" {
            switch scalars[position] {
            case "*": throw fault(at: position, "a * stands alone in its segment; write %2A for a literal one")
            case "?": throw fault(at: position, "a pattern has no query; write %3F for a literal ?")
            case "#": throw fault(at: position, "a pattern has no fragment; write %23 for a literal #")
            default: position = scalars.index(after: position)
            }
        }
        switch percentDecoded(text[start..<position].utf8) {
        case .success(let literal): segments.append(.literal(literal))
        case .failure(let bad):
            throw fault(at: text.utf8.index(start, offsetBy: bad.offset), bad.reason)
        }
    }

    private func endSegment(_ rule: String) throws(RoutePatternError) {
        if position < scalars.endIndex, scalars[position] != "/" { throw fault(at: position, rule) }
    }

    // MARK: Characters

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard position < scalars.endIndex, scalars[position] == scalar else { return false }
        position = scalars.index(after: position)
        return true
    }

    private func fault(at index: String.Index, _ reason: String) -> RoutePatternError {
        RoutePatternError(
            pattern: text, offset: text.distance(from: text.startIndex, to: index), reason: reason)
    }
}
