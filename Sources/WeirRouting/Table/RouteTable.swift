/// An immutable table of patterns: which of them takes a URL?
///
///     let table = RouteTable([try RoutePattern("app://user/:id"), try RoutePattern("/**")])
///     try table.match("app://user/7")?.parameters["id"]        // "7"
///
/// A literal comes before a constrained parameter, that before a parameter, then `*`, then `**`: decided segment by
/// segment, and back to the last choice where one leads nowhere. Patterns that are equal so far are decided by the
/// scheme: one that names it comes before one that takes any. Between equal patterns the later one in the list wins.
///
/// Matching takes no lock and allocates nothing, except for URLs with escapes. Copying a table is one reference count.
public struct RouteTable: Sendable {
    /// One reference for all arrays.
    private final class Box: Sendable {
        let trie: RouteTrie
        let patterns: [RoutePattern]

        init(_ trie: RouteTrie, _ patterns: [RoutePattern]) {
            self.trie = trie
            self.patterns = patterns
        }
    }

    private let box: Box

    /// A table of patterns.
    ///
    /// - Parameters:
    ///   - patterns: in any order; of two equal ones the later wins.
    ///   - options: how literals, slashes and queries are read.
    /// - Complexity: O(total length).
    public init(_ patterns: [RoutePattern], options: RoutingOptions = []) {
        var trie = RouteTrie(options: options)
        for (index, pattern) in patterns.enumerated() { trie.insert(pattern, entry: index) }
        box = Box(trie, patterns)
    }

    /// How this table reads URLs.
    public var options: RoutingOptions { box.trie.options }

    /// The pattern that takes a URL.
    ///
    /// - Parameter url: as text. A query and a fragment do not decide; without scheme and leading slash it is read with
    ///   one.
    /// - Returns: the match, or nil where no pattern takes it.
    /// - Throws: `RouteURLError` where the text is no URL: a bad escape anywhere, an empty segment.
    /// - Complexity: O(length of the URL) plus, where it has to go back, O(total segments of the patterns).
    public func match(_ url: String) throws(RouteURLError) -> RouteMatch? {
        switch box.trie.search(url, where: { _ in true }) {
        case .entry(let index, let hasQuery):
            return RouteMatch(
                index: index, pattern: box.patterns[index], url: url, options: options, hasQuery: hasQuery)
        case .nothing: return nil
        case .invalid(let fault): throw RouteURLError(url: url, offset: fault.offset, reason: fault.reason)
        }
    }

    /// Why a URL matches what it matches, and what nearly took it.
    public func explain(_ url: String) -> RouteExplanation {
        RouteExplanation(url, patterns: patterns, options: options)
    }

    /// The patterns in the order in which they are tried.
    ///
    /// - Complexity: O(*n* log *n*).
    public var patterns: [RoutePattern] {
        RoutePrecedence.order(box.patterns.enumerated().map { ($0, $1) }).map { box.patterns[$0] }
    }
}

extension RouteTable: CustomStringConvertible {
    /// The patterns in the order in which they are tried, one a line.
    public var description: String { patterns.map(\.text).joined(separator: "\n") }
}

/// A pattern that took a URL.
public struct RouteMatch: Sendable {
    /// The number of the pattern in the list that the table was made of.
    public let index: Int
    /// The pattern.
    public let pattern: RoutePattern
    /// The URL as it came.
    public let url: String
    let options: RoutingOptions
    let hasQuery: Bool

    /// The values of the path and of the query, decoded.
    ///
    /// - Complexity: O(length of the URL) at each reading.
    public var parameters: RouteParameters {
        hasQuery || pattern.storage.hasValues ? RouteParameters(pattern, url, options) : [:]
    }
}

extension RouteMatch: CustomStringConvertible {
    /// The pattern and the parameters.
    public var description: String { "\(pattern) \(parameters)" }
}
