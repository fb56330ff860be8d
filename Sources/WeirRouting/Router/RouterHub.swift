/// What routers and their views share: the registrations, the lane and the streams.
final class RouterHub: Sendable {
    let options: RoutingOptions
    let timeLimit: Duration
    let scheduler: any Scheduler
    let lane = RequestLane()
    let requests = PublishSubject<OpenedRoute, Never>()
    let outcomes = PublishSubject<ServedRoute, Never>()
    private let opened = Tally()
    private let book: Lock<RouteBook>

    init(options: RoutingOptions, timeLimit: Duration, scheduler: any Scheduler) {
        self.options = options
        self.timeLimit = timeLimit
        self.scheduler = scheduler
        book = Lock(RouteBook(options: options))
    }

    // MARK: Registering

    /// Registers and looks after two older registrations.
    func register(
        _ pattern: RoutePattern, tags: Set<String>, owner: (any AnyObject & Sendable)?, timeLimit: Duration?,
        _ action: Route.Action
    ) -> RouteRegistration {
        let (number, suspects) = book.withLock { ($0.nextNumber(), $0.nextSuspects()) }
        let route = Route(
            number: number, pattern: pattern, tags: tags, owner: owner, timeLimit: timeLimit, action: action)
        let dead = suspects.filter { !$0.isAlive }.map(\.number)
        if !dead.isEmpty { remove(dead) }
        let waste = book.withLock { $0.add(route) }
        withExtendedLifetime(waste) {}
        return RouteRegistration(hub: self, number: number)
    }

    func remove(_ numbers: [Int]) {
        let waste = book.withLock { $0.remove(numbers) }
        withExtendedLifetime(waste) {}
    }

    func isRegistered(_ number: Int) -> Bool { book.withLock { $0.isRegistered(number) } }

    /// How many registrations there are once those of dead owners are swept.
    func count() -> Int {
        let page = page()
        remove((page.routes.compactMap { $0 } + page.proxies).filter { !$0.isAlive }.map(\.number))
        return book.withLock { $0.count }
    }

    func page() -> RouteBook.Page { book.withLock { $0.current() } }

    // MARK: Opening

    func canOpen(_ url: String, view: RouterView) -> Bool {
        if case .entry = page().search(url, view) { true } else { false }
    }

    /// Takes a place in the lane and starts a task that waits there.
    ///
    /// - Parameter scope: the request that this one is a part of.
    func open(_ url: String, passing: (any Sendable)?, view: RouterView, within scope: RequestScope?) -> OpenedRoute {
        let (lane, ticket) = RequestScope.enter(scope, of: self)
        let opened = OpenedRoute(number: opened.add(), url: url, matched: canOpen(url, view: view))
        requests.send(opened)
        opened.run {
            let inner = RequestScope(hub: self, view: view, outer: scope)
            var outcome = RouteOutcome.failed(CancellationError())
            if inner.depth > RequestScope.maximumDepth {
                outcome = .loop([url])
            } else if await ticket.isServed() {
                outcome = await RequestScope.$current.withValue(inner) {
                    await RequestServer(scope: inner).serve(url, passing)
                }
            }
            // Whoever hears the outcome may open the next URL, and finds this request over.
            let last = inner.lane.close()
            self.outcomes.send(ServedRoute(number: opened.number, url: url, outcome: outcome))
            opened.settle(outcome)
            // What it opened and did not await still belongs to it. A task of its own, for a cancelled one cannot wait.
            _ = await Task { await last.isServed() }.value
            lane.leave(ticket)
        }
        return opened
    }
}
