/// What became of a request.
public enum RouteOutcome: Sendable {
    /// The handler of this pattern returned. `redirects` are the URLs to which proxies sent the request on its way, in
    /// order.
    case handled(RoutePattern, redirects: [String])
    /// No route takes the URL.
    case notFound
    /// A proxy sent the request to a URL that no route takes.
    case redirectedToNothing
    /// Proxies sent the request in a circle, or restarted it too often: the URLs in order. Or it was
    /// opened from inside more than 100 requests: its own URL.
    case loop([String])
    /// The handler or proxy of this pattern did not return within its time limit, and was cancelled.
    case timedOut(RoutePattern)
    /// The handler or a proxy threw; `CancellationError` where the request was cancelled.
    case failed(any Error)
    /// The text is no URL.
    case invalidURL(RouteURLError)

    /// Whether a handler returned.
    public var isHandled: Bool { if case .handled = self { true } else { false } }
}

extension RouteOutcome: CustomStringConvertible {
    /// As in `.handled("photos://photo/:id(int)")`.
    public var description: String {
        switch self {
        case .handled(let pattern, let redirects) where redirects.isEmpty: ".handled(\"\(pattern)\")"
        case .handled(let pattern, let redirects): ".handled(\"\(pattern)\", redirects: \(redirects))"
        case .notFound: ".notFound"
        case .redirectedToNothing: ".redirectedToNothing"
        case .loop(let urls): ".loop(\(urls))"
        case .timedOut(let pattern): ".timedOut(\"\(pattern)\")"
        case .failed(let error): ".failed(\(error))"
        case .invalidURL(let error): ".invalidURL(\(error))"
        }
    }
}
