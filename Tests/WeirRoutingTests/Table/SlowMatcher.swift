/// A matcher that is slow and plainly right: it asks every pattern, and compares what each took segment by segment.
struct SlowPattern {
    enum Lead: String { case none = "", slash = "/", host = "//", scheme = "s://", noHost = "s:///" }
    enum Segment {
        case literal(String)
        case int
        case parameter
        case any
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
            case .parameter: ":p\(index)\(mark)"
            case .any: "*"
            }
        }
        if hasRest { parts.append("**rest") }
        return lead.rawValue + parts.joined(separator: "/")
    }

    /// What it takes, a rank for each segment and one for the end; nil where it does not take the URL.
    func ranks(_ url: SlowURL) -> [Int]? {
        if lead == .scheme || lead == .noHost, url.scheme != "s" { return nil }
        if lead == .noHost, url.hasHost { return nil }
        if lead == .host, !url.hasHost { return nil }
        if lead == .scheme, !url.hasHost, !url.segments.isEmpty, !(segments.isEmpty && hasRest) { return nil }
        var ranks: [Int] = []
        for (index, segment) in segments.enumerated() {
            guard index < url.segments.count else {
                guard isLastOptional, index == segments.count - 1 else { return nil }
                if case .int = segment { return ranks + [1] }
                return ranks + [2]
            }
            switch segment {
            case .literal(let text):
                if text.lowercased() != url.segments[index].lowercased() { return nil }
                ranks.append(0)
            case .int:
                if Int(url.segments[index]) == nil { return nil }
                ranks.append(1)
            case .parameter: ranks.append(2)
            case .any: ranks.append(3)
            }
        }
        if hasRest { return ranks + [url.segments.count > segments.count ? 4 : 3] }
        return url.segments.count == segments.count ? ranks + [0] : nil
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
}

/// The number of the pattern that wins.
func slowMatch(_ patterns: [SlowPattern], _ url: SlowURL) -> Int? {
    var best: (ranks: [Int], lead: Int, index: Int)?
    for (index, pattern) in patterns.enumerated() {
        guard let ranks = pattern.ranks(url) else { continue }
        if let best, best.ranks.lexicographicallyPrecedes(ranks) { continue }
        if let best, best.ranks == ranks, best.lead < pattern.leadRank { continue }
        best = (ranks, pattern.leadRank, index)
    }
    return best?.index
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
