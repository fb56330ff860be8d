/// What is registered: the changing side, kept under the router's lock, and the immutable one that readers get.
struct RouteBook: Sendable {
    /// A table as it was at one moment. Readers hold it and no lock; nothing in it ever changes.
    final class Page: Sendable {
        let trie: RouteTrie
        let routes: [Route?]
        let proxies: [Route]

        init(_ trie: RouteTrie, _ routes: [Route?], _ proxies: [Route]) {
            self.trie = trie
            self.routes = routes
            self.proxies = proxies
        }

        func search(_ url: String, _ view: RouterView) -> RouteTrie.Found {
            trie.search(url) { index in
                guard let route = routes[index] else { return false }
                return route.isSeen(by: view) && route.isAlive
            }
        }

        /// The living routes in the order in which they are tried.
        func ordered(_ view: RouterView) -> [Route] {
            let visible = routes.compactMap { $0 }.filter { $0.isSeen(by: view) && $0.isAlive }
                .sorted { $0.number < $1.number }
            return RoutePrecedence.order(visible.enumerated().map { ($0, $1.pattern) }).map { visible[$0] }
        }
    }

    private var trie: RouteTrie
    /// By the number of their entry in the tree.
    private var routes: [Route?] = []
    private var freeEntries: [Int] = []
    private var proxies: [Route] = []
    /// Where each registration is.
    private var places: [Int: Place] = [:]
    private var page: Page?
    private var numbers = 0
    /// Where the search for dead owners goes on.
    private var sweep = 0

    private enum Place {
        case route(entry: Int)
        case proxy
    }

    /// What the caller lets go of once the lock is open: a handler's captures may run code when they go.
    struct Waste {
        var page: Page?
        var routes: [Route] = []
    }

    init(options: RoutingOptions) { trie = RouteTrie(options: options) }

    mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    func isRegistered(_ number: Int) -> Bool { places[number] != nil }

    /// The table as it is now.
    ///
    /// - Complexity: O(1); O(routes) after a change.
    mutating func current() -> Page {
        if let page { return page }
        let new = Page(trie, routes, proxies)
        page = new
        return new
    }

    mutating func add(_ route: Route) -> Waste {
        switch route.action {
        case .decide:
            proxies.append(route)
            places[route.number] = .proxy
        case .handle:
            let entry = freeEntries.popLast() ?? routes.count
            if entry == routes.count { routes.append(nil) }
            routes[entry] = route
            trie.insert(route.pattern, entry: entry)
            places[route.number] = .route(entry: entry)
        }
        return takePage()
    }

    mutating func remove(_ numbers: [Int]) -> Waste {
        var removed: [Route] = []
        for number in numbers {
            switch places.removeValue(forKey: number) {
            case .proxy:
                guard let index = proxies.firstIndex(where: { $0.number == number }) else { continue }
                removed.append(proxies.remove(at: index))
            case .route(let entry):
                guard let route = routes[entry] else { continue }
                removed.append(route)
                routes[entry] = nil
                freeEntries.append(entry)
                trie.remove(entry)
            case nil: continue
            }
        }
        guard !removed.isEmpty else { return Waste() }
        if trie.isMostlyDead { rebuild() }
        var waste = takePage()
        waste.routes = removed
        return waste
    }

    /// Two more registrations to look at, so that dead owners are found as new ones come.
    mutating func nextSuspects() -> [Route] {
        let count = routes.count + proxies.count
        return (0..<min(2, count)).compactMap { _ in
            sweep = (sweep + 1) % count
            return sweep < routes.count ? routes[sweep] : proxies[sweep - routes.count]
        }
    }

    /// How many routes and proxies there are, dead owners included.
    var count: Int { places.count }

    /// The page is dropped after the change: readers that hold it keep what they saw, and the change makes a copy.
    private mutating func takePage() -> Waste {
        defer { page = nil }
        return Waste(page: page)
    }

    private mutating func rebuild() {
        var fresh = RouteTrie(options: trie.options)
        let alive = routes.enumerated().compactMap { entry, route in route.map { (entry: entry, route: $0) } }
        for (entry, route) in alive.sorted(by: { $0.route.number < $1.route.number }) {
            fresh.insert(route.pattern, entry: entry)
        }
        trie = fresh
    }
}
