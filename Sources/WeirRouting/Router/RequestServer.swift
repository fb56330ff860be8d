/// Serves one request: proxies, then the route, each within its time limit.
struct RequestServer: Sendable {
    /// How a proxy or a handler ended.
    private enum Step<Value: Sendable>: Sendable {
        case returned(Value)
        case threw(any Error)
        case timedOut
    }

    /// Where the request stands.
    private struct State {
        var url: String
        var given: RouteParameters = [:]
        var passed: (any Sendable)?
        var redirects: [String] = []
        /// Where all proxies ran.
        var starts: [(url: String, given: RouteParameters)]

        init(_ url: String, _ passed: (any Sendable)?) {
            self.url = url
            self.passed = passed
            starts = [(url, [:])]
        }

        mutating func redirect(to url: String, _ parameters: RouteParameters, _ passing: (any Sendable)?) {
            self.url = url
            given = given.rewritten(by: parameters)
            passed = passing ?? passed
            redirects.append(url)
        }

        /// Notes a restart; false where it closes a circle or is one too many.
        mutating func restart() -> Bool {
            let isNew = !starts.contains { $0.url == url && $0.given == given }
            starts.append((url, given))
            return isNew && starts.count - 1 <= RequestServer.maximumRestarts
        }
    }

    /// What the proxies decided.
    private enum Way {
        case toRoute
        case again
        case end(RouteOutcome)
    }

    static let maximumRestarts = 16

    let scope: RequestScope

    func serve(_ url: String, _ passed: (any Sendable)?) async -> RouteOutcome {
        var state = State(url, passed)
        while true {
            switch await askProxies(&state) {
            case .toRoute: return await askRoute(state)
            case .again: if !state.restart() { return .loop(state.starts.map(\.url)) }
            case .end(let outcome): return outcome
            }
        }
    }

    private func askProxies(_ state: inout State) async -> Way {
        let url: RouteURL
        do throws(RouteURLError) { url = try RouteURL(state.url) } catch { return .end(.invalidURL(error)) }
        for proxy in scope.hub.page().proxies.reversed() where proxy.pattern.takes(url, scope.hub.options) {
            guard case .decide(let decide) = proxy.action, proxy.isSeen(by: scope.view), proxy.isAlive,
                scope.hub.isRegistered(proxy.number)
            else { continue }
            switch await run(proxy, request(proxy, url, state), decide) {
            case .threw(let error): return .end(.failed(error))
            case .timedOut: return .end(.timedOut(proxy.pattern))
            case .returned(.proceed): continue
            case .returned(.stop(let outcome)): return .end(outcome)
            case .returned(.rewrite(let url, let parameters, let passing)):
                state.redirect(to: url, parameters, passing)
                return .toRoute
            case .returned(.restart(let url, let parameters, let passing)):
                state.redirect(to: url, parameters, passing)
                return .again
            }
        }
        return .toRoute
    }

    private func askRoute(_ state: State) async -> RouteOutcome {
        let page = scope.hub.page()
        let url: RouteURL
        do throws(RouteURLError) { url = try RouteURL(state.url) } catch { return .invalidURL(error) }
        guard case .entry(let index, _) = page.search(state.url, scope.view), let route = page.routes[index],
            case .handle(let handle) = route.action
        else { return state.redirects.isEmpty ? .notFound : .redirectedToNothing }
        switch await run(route, request(route, url, state), handle) {
        case .returned: return .handled(route.pattern, redirects: state.redirects)
        case .threw(let error): return .failed(error)
        case .timedOut: return .timedOut(route.pattern)
        }
    }

    private func request(_ route: Route, _ url: RouteURL, _ state: State) -> RouteRequest {
        RouteRequest(
            url: state.url, route: url.route, fragment: url.fragment, pattern: route.pattern,
            parameters: RouteParameters(route.pattern, state.url, scope.hub.options, rewrite: state.given.items),
            passed: state.passed, redirects: state.redirects, scope: scope)
    }

    /// Runs a handler against its time limit: the first of both cancels the other.
    private func run<Value: Sendable>(
        _ route: Route, _ request: RouteRequest, _ body: @escaping @Sendable (RouteRequest) async throws -> Value
    ) async -> Step<Value> {
        let limit = route.timeLimit ?? scope.hub.timeLimit
        // No time at all: which of both came first would be chance.
        guard limit > .zero else { return .timedOut }
        let work = Observable<Step<Value>, Never> {
            do { return .returned(try await body(request)) } catch { return .threw(error) }
        }
        let running = scope.hub.limits.begin(limit)
        defer { scope.hub.limits.end(running.number) }
        let timer = running.isOver.map { Step<Value>.timedOut }
        return await work.merge(with: timer).first ?? .threw(CancellationError())
    }
}
