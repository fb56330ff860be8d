/// Why a URL goes where it goes: the pattern that takes it, those that would take it next, and those that nearly did.
public struct RouteExplanation: Sendable, CustomStringConvertible {
    /// A pattern that did not take the URL, for one reason only.
    public struct NearMiss: Hashable, Sendable, CustomStringConvertible {
        /// The pattern.
        public let pattern: RoutePattern
        /// The one reason.
        public let reason: RouteMismatch

        /// The pattern and the reason.
        public var description: String { "\(pattern): \(reason)" }
    }

    /// The URL that was asked about.
    public let url: String
    /// Why the URL cannot be read, if so.
    public let error: RouteURLError?
    /// The patterns that take the URL, in the order in which they are tried: the first one wins.
    public let matches: [RoutePattern]
    /// The patterns against which exactly one thing speaks, in the order in which they are tried.
    public let nearMisses: [NearMiss]

    /// - Parameter patterns: in the order in which they are tried.
    init(_ url: String, patterns: [RoutePattern], options: RoutingOptions) {
        self.url = url
        var matches: [RoutePattern] = []
        var nearMisses: [NearMiss] = []
        do throws(RouteURLError) {
            let parts = try RouteURL(url)
            for pattern in patterns {
                let reasons = pattern.mismatches(with: parts, options, limit: 2)
                if reasons.isEmpty { matches.append(pattern) }
                if reasons.count == 1 { nearMisses.append(NearMiss(pattern: pattern, reason: reasons[0])) }
            }
            error = nil
        } catch {
            self.error = error
        }
        self.matches = matches
        self.nearMisses = nearMisses
    }

    /// The pattern that wins, or nil.
    public var match: RoutePattern? { matches.first }

    /// A line for the URL and its fate, then a line for each further match and each near miss.
    public var description: String {
        if let error { return "\(error)" }
        var lines = ["\(url) -> \(match.map(\.text) ?? "no route")"]
        lines += matches.dropFirst().map { "    also takes it: \($0)" }
        lines += nearMisses.map { "    nearly: \($0)" }
        return lines.joined(separator: "\n")
    }
}
