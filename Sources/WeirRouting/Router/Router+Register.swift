// map and proxy: what a router does with a URL.

extension Router {
    /// Registers a route.
    ///
    /// The handler runs in the order of requests, never two at once, and the outcome comes when it returns: a handler
    /// that presents a screen returns when the screen stands. It carries its own isolation.
    ///
    /// - Parameters:
    ///   - pattern: a text or a `RoutePattern`. With a text that is no pattern nothing is registered, and
    ///     `RouteRegistration.error` says why, and so does the hook `Unhandled`.
    ///   - tags: which views see it, besides the router itself.
    ///   - owner: held weakly; from its death on the route matches nothing.
    ///   - timeLimit: for this handler; the router's where it is nil. With zero or less it is not begun.
    ///   - handler: takes the request; what it throws becomes the outcome.
    /// - Returns: the registration, to be disposed by hand; letting go of it disposes nothing.
    /// - Complexity: O(length of the pattern), amortised.
    @discardableResult
    public func map(
        _ pattern: some RoutePatternConvertible, tags: Set<String> = [], owner: (any AnyObject & Sendable)? = nil,
        timeLimit: Duration? = nil, _ handler: @escaping @Sendable (RouteRequest) async throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RouteRegistration {
        register(pattern, tags, owner, timeLimit, .handle(handler), file, line)
    }

    /// Registers a proxy, which stands before the routes: it may let a request pass, send it elsewhere, or stop it.
    ///
    /// Proxies run last registered first, whatever their patterns, also for a URL that no route takes.
    ///
    /// - Parameters:
    ///   - pattern: the URLs that it is asked about; as in `map`.
    ///   - tags: which views ask it, besides the router itself.
    ///   - owner: held weakly; from its death on the proxy is not asked.
    ///   - timeLimit: for this proxy; the router's where it is nil. With zero or less it is not begun.
    ///   - decide: takes the request; what it throws becomes the outcome.
    /// - Returns: the registration, to be disposed by hand; letting go of it disposes nothing.
    @discardableResult
    public func proxy(
        _ pattern: some RoutePatternConvertible, tags: Set<String> = [], owner: (any AnyObject & Sendable)? = nil,
        timeLimit: Duration? = nil, _ decide: @escaping @Sendable (RouteRequest) async throws -> RouteDecision,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RouteRegistration {
        register(pattern, tags, owner, timeLimit, .decide(decide), file, line)
    }

    private func register(
        _ pattern: some RoutePatternConvertible, _ tags: Set<String>, _ owner: (any AnyObject & Sendable)?,
        _ timeLimit: Duration?, _ action: Route.Action, _ file: StaticString, _ line: UInt
    ) -> RouteRegistration {
        do throws(RoutePatternError) {
            return hub.register(
                try pattern.routePattern(), tags: tags.union(view.tags), owner: owner, timeLimit: timeLimit, action)
        } catch {
            Unhandled.report("a route or proxy matches nothing", error, file: file, line: line)
            return RouteRegistration(error)
        }
    }
}
