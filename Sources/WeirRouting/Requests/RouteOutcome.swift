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
    /// The handler or a proxy threw; `CancellationError` where the request was cancelled, `RouterError` where the router
    /// was closed.
    case failed(any Error)
    /// The text is no URL.
    case invalidURL(RouteURLError)

    /// Whether a handler returned.
    public var isHandled: Bool { if case .handled = self { true } else { false } }
}

extension RouteOutcome: Equatable {
    /// Whether both say the same. Two errors are equal where they are of one type and `==` says so; errors of a type that
    /// has no `==`, where they read the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.handled(let one, let way), .handled(let other, let otherWay)): one == other && way == otherWay
        case (.notFound, .notFound), (.redirectedToNothing, .redirectedToNothing): true
        case (.loop(let one), .loop(let other)): one == other
        case (.timedOut(let one), .timedOut(let other)): one == other
        case (.failed(let one), .failed(let other)): areEqual(one, other)
        case (.invalidURL(let one), .invalidURL(let other)): one == other
        default: false
        }
    }

    private static func areEqual(_ one: any Error, _ other: any Error) -> Bool {
        guard type(of: one) == type(of: other) else { return false }
        guard let value = (one as Any) as? any Equatable else { return "\(one)" == "\(other)" }
        return value.isEqual(to: other)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any Error) -> Bool { other as? Self == self }
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
