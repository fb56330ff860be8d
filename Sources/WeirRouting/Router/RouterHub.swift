/// What routers and their views share: the registrations, the lane and the streams.
final class RouterHub: Sendable {
    let options: RoutingOptions
    let timeLimit: Duration
    let scheduler: any Scheduler
    let limits: any TimeLimits
    let lane = RequestLane()
    let requests = PublishSubject<OpenedRoute, Never>()
    let outcomes = PublishSubject<ServedRoute, Never>()
    let gate = WorkGate()
    private let opened = Tally()
    private let book: Lock<RouteBook>

    init(options: RoutingOptions, timeLimit: Duration, scheduler: some Scheduler) {
        self.options = options
        self.timeLimit = timeLimit
        self.scheduler = scheduler
        limits = SchedulerLimits(scheduler)
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
        if gate.isOpen, case .entry = page().search(url, view) { true } else { false }
    }

    /// Takes a place in the lane and starts a task that waits there.
    ///
    /// - Parameter scope: the request that this one is a part of.
    func open(_ url: String, passing: (any Sendable)?, view: RouterView, within scope: RequestScope?) -> OpenedRoute {
        let (lane, ticket) = RequestScope.enter(scope, of: self)
        // Inside another request that still runs: that one waits for it, also while the router closes.
        let isPart = lane !== self.lane
        let isTaken = if case .entry = page().search(url, view) { isPart || gate.isOpen } else { false }
        let opened = OpenedRoute(number: opened.add(), url: url, matched: isTaken)
        requests.send(opened)
        guard let pass = gate.enter(isPart: isPart, cut: { opened.cancel() }) else {
            lane.leave(ticket)
            tell(opened, .failed(RouterError.closed))
            return opened
        }
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
            if case .failed(_ as CancellationError) = outcome, self.gate.isCut { outcome = .failed(RouterError.cut) }
            self.tell(opened, outcome)
            // What it opened and did not await still belongs to it. A task of its own, for a cancelled one cannot wait.
            _ = await Task { await last.isServed() }.value
            lane.leave(ticket)
            self.gate.leave(pass)
        }
        return opened
    }

    private func tell(_ opened: OpenedRoute, _ outcome: RouteOutcome) {
        outcomes.send(ServedRoute(number: opened.number, url: opened.url, outcome: outcome))
        opened.settle(outcome)
    }

    // MARK: Closing

    func close(within time: Duration) async {
        await gate.close(within: time, on: scheduler)
        requests.send(completion: .finished)
        outcomes.send(completion: .finished)
    }
}
