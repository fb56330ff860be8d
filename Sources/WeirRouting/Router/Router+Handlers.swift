// map for callback code, and for handlers that answer with a stream.

extension Router {
    /// Registers a route whose handler answers with a stream. The outcome comes when the stream ends: `.handled` where it
    /// finishes, `.failed` with its failure. Its elements are not looked at. The time limit, and `cancel`, cancel it.
    ///
    /// - Parameters:
    ///   - pattern: a text or a `RoutePattern`, as in the other forms of `map`.
    ///   - tags: which views see it, besides the router itself.
    ///   - owner: held weakly; from its death on the route matches nothing.
    ///   - timeLimit: for the handler and its stream; the router's where it is nil.
    ///   - scheduler: where the handler is called and the stream is subscribed to, such as `.main`.
    ///   - handler: makes the stream.
    /// - Returns: the registration, to be disposed by hand; letting go of it disposes nothing.
    @discardableResult
    public func map<Element: Sendable, Failure: Error, S: Scheduler>(
        _ pattern: some RoutePatternConvertible, tags: Set<String> = [], owner: (any AnyObject & Sendable)? = nil,
        timeLimit: Duration? = nil, on scheduler: S = .immediate,
        _ handler: @escaping @Sendable (RouteRequest) -> Observable<Element, Failure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RouteRegistration {
        map(
            pattern, tags: tags, owner: owner, timeLimit: timeLimit,
            { (request: RouteRequest) async throws -> Void in
                let stream = Observable<RouteRequest, any Error>.just(request).receive(on: scheduler)
                    .flatMap { handler($0).mapError { $0 as any Error } }
                for try await _ in stream.values {}
                try Task.checkCancellation()
            }, file: file, line: line)
    }

    /// Registers a route whose handler says by a callback that it is done.
    ///
    ///     router.map("app://album", on: .main) { request, completed in
    ///         window.show(AlbumController(), completion: { completed() })
    ///     }
    ///
    /// A handler that never calls back is cut at the time limit, and what it says later is ignored.
    ///
    /// - Parameters:
    ///   - pattern: a text or a `RoutePattern`, as in the other forms of `map`.
    ///   - tags: which views see it, besides the router itself.
    ///   - owner: held weakly; from its death on the route matches nothing.
    ///   - timeLimit: until the call of `completed`; the router's where it is nil.
    ///   - scheduler: where the handler is called, such as `.main`.
    ///   - handler: takes the request, and what to call once, from any thread.
    /// - Returns: the registration, to be disposed by hand; letting go of it disposes nothing.
    @discardableResult
    public func map<S: Scheduler>(
        _ pattern: some RoutePatternConvertible, tags: Set<String> = [], owner: (any AnyObject & Sendable)? = nil,
        timeLimit: Duration? = nil, on scheduler: S = .immediate,
        _ handler: @escaping @Sendable (_ request: RouteRequest, _ completed: RouteCompletion) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> RouteRegistration {
        map(
            pattern, tags: tags, owner: owner, timeLimit: timeLimit, on: scheduler,
            { request -> Observable<Void, any Error> in
                let completed = RouteCompletion()
                handler(request, completed)
                return completed.ending
            }, file: file, line: line)
    }
}

/// What a handler calls when it is done. The first call counts.
public struct RouteCompletion: Sendable, CustomStringConvertible {
    private let state = BehaviorSubject<Void, any Error>(())

    /// Ends the request.
    ///
    /// - Parameter error: becomes the outcome, `.failed`; nil for `.handled`.
    public func callAsFunction(throwing error: (any Error)? = nil) {
        state.send(completion: error.map { .failed($0) } ?? .finished)
    }

    /// Ends with the first call, and not where the handler lets go of this: the stream holds the subject.
    fileprivate var ending: Observable<Void, any Error> {
        state.observable.map { [state] in withExtendedLifetime(state) {} }
    }

    /// `RouteCompletion`.
    public var description: String { "RouteCompletion" }
}
