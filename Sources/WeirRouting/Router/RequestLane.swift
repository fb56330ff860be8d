/// Who is served next: one request at a time, in the order in which they came. It decides; waiting is the core's.
final class RequestLane: Sendable {
    /// A place in the lane.
    final class Ticket: Sendable {
        fileprivate let number: Int
        fileprivate let turn: BehaviorSubject<Bool, Never>

        fileprivate init(number: Int, isFirst: Bool) {
            self.number = number
            turn = BehaviorSubject(isFirst)
        }

        /// Waits for its turn; false where the waiting task is cancelled before.
        func isServed() async -> Bool { await turn.observable.filter { $0 }.first ?? false }
    }

    private struct State {
        var numbers = 0
        /// The number that is served, or the last one that was.
        var served = 0
        var tickets: [Int: Ticket] = [:]
        var isClosed = false
    }

    private let state = Lock(State())

    /// A ticket, or nil where the lane is closed. The first of an empty lane is served at once.
    func enter() -> Ticket? { state.withLock { $0.isClosed ? nil : Self.admit(&$0) } }

    /// Lets nobody in any more.
    ///
    /// - Returns: a last ticket, whose turn comes when all others have left.
    func close() -> Ticket {
        state.withLock { state in
            state.isClosed = true
            return Self.admit(&state)
        }
    }

    /// Gives a ticket back, served or not. The next one's turn comes.
    func leave(_ ticket: Ticket) {
        let next = state.withLock { state -> Ticket? in
            state.tickets[ticket.number] = nil
            guard ticket.number == state.served else { return nil }
            while state.served < state.numbers {
                state.served += 1
                if let next = state.tickets[state.served] { return next }
            }
            return nil
        }
        next?.turn.send(true)
    }

    private static func admit(_ state: inout State) -> Ticket {
        state.numbers += 1
        let isFirst = state.tickets.isEmpty
        if isFirst { state.served = state.numbers }
        let ticket = Ticket(number: state.numbers, isFirst: isFirst)
        state.tickets[ticket.number] = ticket
        return ticket
    }
}

/// What runs inside a request: the URLs that it opens are served in a lane of its own, while it waits.
final class RequestScope: Sendable {
    let hub: RouterHub
    let view: RouterView
    /// The request that this one is a part of, of this or of another router.
    let outer: RequestScope?
    /// How many requests this one is a part of.
    let depth: Int
    let lane = RequestLane()
    /// A request that is opened from inside so many others goes in a circle.
    static let maximumDepth = 100

    /// The innermost request whose task this is.
    @TaskLocal static var current: RequestScope?

    init(hub: RouterHub, view: RouterView, outer: RequestScope?) {
        self.hub = hub
        self.view = view
        self.outer = outer
        depth = outer.map { $0.depth + 1 } ?? 0
    }

    /// A ticket of the innermost request of `hub` that still runs, or of the hub's own lane.
    static func enter(_ scope: RequestScope?, of hub: RouterHub) -> (lane: RequestLane, ticket: RequestLane.Ticket) {
        var next = scope
        while let scope = next {
            if scope.hub === hub, let ticket = scope.lane.enter() { return (scope.lane, ticket) }
            next = scope.outer
        }
        // The hub's lane is never closed; `close` would give a ticket all the same.
        return (hub.lane, hub.lane.enter() ?? hub.lane.close())
    }
}
