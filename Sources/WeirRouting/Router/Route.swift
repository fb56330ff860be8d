/// One registration: a route with its handler, or a proxy.
final class Route: Sendable {
    enum Action: Sendable {
        case handle(@Sendable (RouteRequest) async throws -> Void)
        case decide(@Sendable (RouteRequest) async throws -> RouteDecision)
    }

    /// Grows with each registration.
    let number: Int
    let pattern: RoutePattern
    let tags: Set<String>
    let timeLimit: Duration?
    let action: Action
    private weak let owner: (any AnyObject & Sendable)?
    private let isOwned: Bool

    init(
        number: Int, pattern: RoutePattern, tags: Set<String>, owner: (any AnyObject & Sendable)?, timeLimit: Duration?,
        action: Action
    ) {
        self.number = number
        self.pattern = pattern
        self.tags = tags
        self.timeLimit = timeLimit
        self.action = action
        self.owner = owner
        isOwned = owner != nil
    }

    /// Its owner lives, or it has none. Never asked under a lock: it may be the last to hold the owner.
    var isAlive: Bool { !isOwned || owner != nil }

    func isSeen(by view: RouterView) -> Bool { view.sees(tags) }
}

/// What a router shows: everything, or what carries one tag of each set.
struct RouterView: Sendable {
    let sets: [Set<String>]

    func sees(_ tags: Set<String>) -> Bool { sets.allSatisfy { !$0.isDisjoint(with: tags) } }

    /// The tags that registrations through this view carry.
    var tags: Set<String> { sets.reduce(into: []) { $0.formUnion($1) } }
}
