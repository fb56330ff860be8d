/// URLs to handlers: register patterns, open URLs.
///
///     let router = Router()
///     router.map("photos://photo/:id(int)") { request in
///         try await gallery.show(request.parameters.require("id", as: Int.self))
///     }
///     await router.open("photos://photo/42")          // .handled("photos://photo/:id(int)")
///
/// Safe from any thread. Each registration makes a new immutable table, and opening reads the one that stands then.
/// Requests are served one at a time in the order of `open`. A request that is opened from inside a handler is a part of
/// its request, and is served while that one waits.
///
/// A router holds its handlers, and they hold what they capture: capture an owner weakly, or register it as `owner:`.
public final class Router: Sendable, CustomStringConvertible {
    let hub: RouterHub
    let view: RouterView

    /// A router without routes.
    ///
    /// - Parameters:
    ///   - options: how literals, slashes and queries are read.
    ///   - timeLimit: how long a handler or a proxy may take before it is cancelled and the next request is served;
    ///     with zero or less none is begun, and every request that one of them takes is `.timedOut`.
    ///   - scheduler: where the time limit is measured; a test gives a clock of its own.
    public init(
        options: RoutingOptions = [], timeLimit: Duration = .seconds(30), on scheduler: some Scheduler = .continuous
    ) {
        hub = RouterHub(options: options, timeLimit: timeLimit, scheduler: scheduler)
        view = RouterView(sets: [])
    }

    private init(_ hub: RouterHub, _ view: RouterView) {
        self.hub = hub
        self.view = view
    }

    /// A live view: it sees the routes and proxies that carry any of the tags, and what is registered through it carries
    /// them all. It keeps no copy, and its requests queue with those of the router. `router[]` sees nothing.
    public subscript(tags: String...) -> Router { Router(hub, RouterView(sets: view.sets + [Set(tags)])) }

    // MARK: Opening

    /// Opens a URL and waits for the outcome.
    ///
    /// Cancelling the task cancels the handler, and answers `.failed` with a `CancellationError`.
    ///
    /// - Parameters:
    ///   - url: as text; without scheme and leading slash it is read with one.
    ///   - passing: a value for proxies and the handler.
    /// - Returns: what became of the request. A failure is an outcome, too.
    @discardableResult
    public func open(_ url: String, passing: (any Sendable)? = nil) async -> RouteOutcome {
        await hub.open(url, passing: passing, view: view, within: RequestScope.current).settled()
    }

    /// Opens a URL at once and waits for nothing: what an application delegate calls.
    ///
    /// - Returns: a handle with `matched`, the outcome as a stream, and `cancel()`. Letting go of it stops nothing.
    @discardableResult
    public func open(_ url: String, passing: (any Sendable)? = nil) -> OpenedRoute {
        hub.open(url, passing: passing, view: view, within: RequestScope.current)
    }

    /// Whether a route takes the URL now. It only looks: no proxy is asked and nothing runs.
    public func canOpen(_ url: String) -> Bool { hub.canOpen(url, view: view) }

    // MARK: Looking in

    /// The requests as they are opened, of all views. It does not keep the router alive.
    public var requests: Observable<OpenedRoute, Never> { hub.requests.observable }

    /// The requests as they end, with their outcomes, of all views. It does not keep the router alive.
    public var outcomes: Observable<ServedRoute, Never> { hub.outcomes.observable }

    /// The routes that this router sees, in the order in which they would be tried.
    ///
    /// - Complexity: O(*n* log *n*).
    public var routes: [RegisteredRoute] { hub.page().ordered(view).map(RegisteredRoute.init) }

    /// The proxies that this router sees, in the order in which they run.
    public var proxies: [RegisteredRoute] {
        hub.page().proxies.reversed().filter { $0.isSeen(by: view) && $0.isAlive }.map(RegisteredRoute.init)
    }

    /// How many routes and proxies are registered, in all views. Those of dead owners go as it is read.
    public var registrationCount: Int { hub.count() }

    /// Which route takes a URL, which would take it next, which nearly do, and why not. Proxies are not asked.
    public func explain(_ url: String) -> RouteExplanation {
        RouteExplanation(url, patterns: routes.map(\.pattern), options: hub.options)
    }

    /// As in `Router(3 registrations)`.
    public var description: String { "Router(\(registrationCount) registrations)" }
}

/// A route or proxy in a router's list.
public struct RegisteredRoute: Sendable, CustomStringConvertible {
    /// Its pattern.
    public let pattern: RoutePattern
    /// Its tags.
    public let tags: Set<String>

    init(_ route: Route) {
        pattern = route.pattern
        tags = route.tags
    }

    /// The pattern, then the tags where there are any.
    public var description: String {
        tags.isEmpty ? pattern.text : "\(pattern) [\(tags.sorted().joined(separator: ", "))]"
    }
}
