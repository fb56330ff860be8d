// map(screen:): a URL to a screen.

extension Router {
    /// Registers a screen. The request's outcome comes when the transition is over.
    ///
    /// For each request the screen is made, then set up, first by itself (`PresentationSetup`), then by `setup`, and
    /// then presented. All of it runs on the main actor.
    ///
    ///     router.map("app://photo/:id", screen: .provided { _ in PhotoScreen() }, style: .push(animated: true),
    ///                presenter: window)
    ///
    /// - Parameters:
    ///   - pattern: a text or a `RoutePattern`, as in the other forms of `map`.
    ///   - tags: which views see it, besides the router itself.
    ///   - owner: held weakly; from its death on the route matches nothing.
    ///   - timeLimit: for making, set-up and transition together; the router's where it is nil.
    ///   - screen: where the screen comes from.
    ///   - style: how it comes in.
    ///   - presenter: shows it; it is held as long as the route is registered.
    ///   - setup: what it throws becomes the outcome, and nothing is presented then.
    /// - Returns: the registration, to be disposed by hand; letting go of it disposes nothing.
    @discardableResult
    public func map<P: Presenter>(
        _ pattern: some RoutePatternConvertible, tags: Set<String> = ["Views"],
        owner: (any AnyObject & Sendable)? = nil, timeLimit: Duration? = nil, screen: ScreenSource<P.Screen>,
        style: PresentationStyle<P.Screen> = .show, presenter: P,
        setup: (@MainActor @Sendable (P.Screen, RouteRequest) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RouteRegistration {
        map(
            pattern, tags: tags, owner: owner, timeLimit: timeLimit,
            { @MainActor request in
                let shown = try presenter.make(screen, for: request)
                try (shown as? any PresentationSetup)?.setUp(for: request)
                try setup?(shown, request)
                try Task.checkCancellation()
                try await presenter.present(shown, style)
            }, file: file, line: line)
    }
}

extension Presenter {
    fileprivate func make(_ source: ScreenSource<Screen>, for request: RouteRequest) throws -> Screen {
        switch source {
        case .provided(let make): try make(request)
        case .named(let name, let bundle): try screen(named: name, bundle: bundle)
        }
    }
}
