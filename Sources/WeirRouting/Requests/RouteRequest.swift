/// A request on its way, as a proxy or a handler sees it.
public struct RouteRequest: Sendable {
    /// The URL; after a rewrite the new one.
    public let url: String
    /// The URL without query and fragment.
    public let route: String
    /// The fragment, decoded, without its `#`.
    public let fragment: String?
    /// The pattern of the proxy or handler that is asked.
    public let pattern: RoutePattern
    /// The values that this pattern took from the path, those of the query, and those that proxies gave.
    public let parameters: RouteParameters
    /// What was passed along with the URL, or by a proxy.
    public let passed: (any Sendable)?
    /// The URLs to which proxies have sent this request so far, in order.
    public let redirects: [String]
    let scope: RequestScope

    /// Opens another URL as a part of this request: at once, while this request still runs, and before the next one.
    ///
    /// An `open` of the router inside the handler's own task does the same. This form also works from other tasks and
    /// callbacks. Once this request is over it queues like any other.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - passing: a value for its handler.
    /// - Returns: what became of it.
    @discardableResult
    public func open(_ url: String, passing: (any Sendable)? = nil) async -> RouteOutcome {
        await scope.hub.open(url, passing: passing, view: scope.view, within: scope).settled()
    }
}

extension RouteRequest: CustomStringConvertible {
    /// The URL, the pattern and the parameters.
    public var description: String { "\(url) -> \(pattern) \(parameters)" }
}
