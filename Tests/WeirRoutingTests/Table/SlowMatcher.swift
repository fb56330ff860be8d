import Foundation

/// A matcher that is slow and plainly right: every pattern as a regular expression over the whole URL, those that take it
/// sorted by precedence. Literals are lower case, with one spelling for each accent, and so is the URL they meet.
struct SlowPattern {
    enum Lead: String { case none = "", slash = "/", host = "//", scheme = "s://", noHost = "s:///" }
    enum Segment: Hashable {
        case literal(String)
        case int
        case expression(String)
        case parameter
        case any
    }

    /// What a segment was taken by; lower comes first.
    struct Rank: Comparable {
        let kind: Int
        var text = ""

        static func < (left: Rank, right: Rank) -> Bool {
            left.kind == right.kind
                ? left.text.utf8.lexicographicallyPrecedes(right.text.utf8) : left.kind < right.kind
        }
    }

    var lead: Lead
    var segments: [Segment]
    var isLastOptional: Bool
    var hasRest: Bool

    /// How the pattern is written; parameters are numbered.
    var text: String {
        var parts = segments.enumerated().map { index, segment in
            let mark = isLastOptional && index == segments.count - 1 ? "?" : ""
            return switch segment {
            case .literal(let text): spelled(text)
            case .int: ":p\(index)(int)\(mark)"
            case .expression(let text): ":p\(index)(\(text))\(mark)"
            case .parameter: ":p\(index)\(mark)"
            case .any: "*"
            }
        }
        if hasRest { parts.append("**rest") }
        return lead.rawValue + parts.joined(separator: "/")
    }

    /// The regular expression, over `SlowURL.text`.
    func regex() throws -> NSRegularExpression {
        var parts = segments.map { segment in
            switch segment {
            case .literal(let text): "\n(?i:" + NSRegularExpression.escapedPattern(for: text.composed) + ")"
            case .int: "\n[+-]?[0-9]+"
            case .expression(let text): "\n(?:\(text))"
            case .parameter, .any: "\n[^\n]+"
            }
        }
        if isLastOptional { parts[parts.count - 1] = "(?:\(parts[parts.count - 1]))?" }
        if hasRest { parts.append("(?:\n[^\n]+)*") }
        let frame =
            switch lead {
            case .none, .slash: "[^\n]*"
            case .host: "[^\n]*@"
            case .noHost: "s-"
            // `s://**` and `s://` take any host or none; so does `s://:x?`, but nothing behind none.
            case .scheme where segments.isEmpty: "s[@-]"
            case .scheme where isLastOptional && segments.count == 1: "s(?:@|-$)"
            case .scheme: "s@"
            }
        return try NSRegularExpression(pattern: "^" + frame + parts.joined() + "$")
    }

    /// What it takes of a URL that it takes: a rank for each segment and one for the end.
    func ranks(_ url: SlowURL) -> [Rank] {
        var ranks = segments.map(rank)
        if hasRest { return ranks + [Rank(kind: url.segments.count > segments.count ? 4 : 3)] }
        // A pattern whose last segment is missing comes after one that ends there.
        if url.segments.count < segments.count { return ranks }
        ranks.append(Rank(kind: 0))
        return ranks
    }

    private func rank(_ segment: Segment) -> Rank {
        switch segment {
        case .literal: Rank(kind: 0)
        case .int: Rank(kind: 1)
        case .expression(let text): Rank(kind: 1, text: text)
        case .parameter: Rank(kind: 2)
        case .any: Rank(kind: 3)
        }
    }

    /// Decides between patterns that took the same.
    var leadRank: Int {
        switch lead {
        case .none, .slash: 3
        case .host: 2
        case .scheme: segments.isEmpty ? 1 : 0
        case .noHost: 0
        }
    }
}

struct SlowURL {
    var scheme: String?
    var hasHost: Bool
    var segments: [String]

    /// The scheme, a mark for the host, then the segments, each behind a line's end.
    var text: String {
        (scheme ?? "") + (hasHost ? "@" : "-") + segments.map { "\n" + $0 }.joined()
    }
}

/// The patterns of a table with their expressions.
struct SlowTable {
    private let patterns: [(pattern: SlowPattern, regex: NSRegularExpression)]

    init(_ patterns: [SlowPattern]) throws { self.patterns = try patterns.map { ($0, try $0.regex()) } }

    /// The number of the pattern that wins.
    func match(_ url: SlowURL) -> Int? {
        // Accents in one spelling, as literals have them; expressions see what came, and no word of both is asked.
        let plain = url.text.composed
        let taken = patterns.enumerated().filter { _, entry in
            entry.regex.firstMatch(in: plain, range: NSRange(plain.startIndex..., in: plain)) != nil
        }
        return taken.min { left, right in
            let (first, second) = (left.element.pattern, right.element.pattern)
            let ranks = (first.ranks(url), second.ranks(url))
            if ranks.0 != ranks.1 { return ranks.0.lexicographicallyPrecedes(ranks.1) }
            if first.leadRank != second.leadRank { return first.leadRank < second.leadRank }
            return left.offset > right.offset
        }?.offset
    }
}

extension String {
    fileprivate var composed: String { precomposedStringWithCanonicalMapping }
}

/// A segment as a pattern or a URL spells it: what would mean something else is escaped, anything else may be.
func spelled(_ text: String, mayEscape: () -> Bool = { false }) -> String {
    var bytes: [UInt8] = []
    let escapesAll = mayEscape()
    for byte in text.utf8 {
        if escapesAll || "/%?#:*".utf8.contains(byte) {
            bytes += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
