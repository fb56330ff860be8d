// Who has to go when memory is full: S3-FIFO with warm fill, weighted by cost. Three first-in-first-out queues: small for
// newcomers, main for those seen again, ghost for keys that were dropped lately and hold no value any more.
// It knows neither keys nor values: it moves numbered nodes, and asks the owner how often a node was hit.
//
// Source: Yang, Zhang, Qiu, Yue, Rashmi, "FIFO queues are all you need for cache eviction", SOSP 2023; the warm fill and
// the weights are additions. Misses are exact, so every step's order counts.

/// The queues of S3-FIFO and their costs. One owner at a time.
@usableFromInline struct S3FIFO: Sendable {
    /// Where the owner keeps what a node stands for.
    @usableFromInline struct Place: Sendable {
        @usableFromInline let shard: Int32
        @usableFromInline let slot: Int32
        @usableFromInline init(shard: Int32, slot: Int32) {
            self.shard = shard
            self.slot = slot
        }
    }

    /// What the policy asks its owner about a node.
    @usableFromInline enum Question: Sendable {
        /// Oldest of main: hit since? Then take one hit off and answer true. Else forget all of it and answer false.
        case leaveMain
        /// Oldest of small: hit twice or more? Then answer true. Else drop its value, keep its key, and answer false.
        case leaveSmall
        /// Oldest of ghost: forget its key. The answer does not count.
        case leaveGhost
    }

    private enum Home: Sendable { case none, small, main, ghost }

    private struct Node: Sendable {
        var place: Place
        var cost: Int
        var home: Home
    }

    private struct Queue: Sendable {
        var list = LinkedSlots.List()
        var cost = 0
    }

    /// The most that all held entries may cost together.
    @usableFromInline private(set) var capacity: Int
    private var smallTarget: Int
    private var ghostTarget: Int
    private var slots = LinkedSlots()
    private var nodes = ContiguousArray<Node>()
    private var small = Queue()
    private var main = Queue()
    private var ghost = Queue()
    /// True until the first eviction, and never again.
    private var isWarming = true

    /// - Parameter capacity: the limit, in the unit of the costs; less than one counts as one.
    @usableFromInline init(capacity: Int) {
        self.capacity = max(1, capacity)
        smallTarget = max(1, self.capacity / 10)
        ghostTarget = self.capacity - smallTarget
    }

    /// Changes the limit and evicts until it holds; what ghost remembers too much of is forgotten.
    @usableFromInline mutating func resize(to limit: Int, ask: (Place, Question) -> Bool) {
        capacity = max(1, limit)
        smallTarget = max(1, capacity / 10)
        ghostTarget = capacity - smallTarget
        makeRoom(for: limit < 1 ? 1 : 0, ask: ask)
        trimGhost(ask)
    }

    /// What the held entries cost together.
    @usableFromInline var used: Int { small.cost + main.cost }

    /// Evicts until `cost`, which must not exceed the capacity, fits.
    @usableFromInline mutating func makeRoom(for cost: Int, ask: (Place, Question) -> Bool) {
        while used > capacity - cost {
            isWarming = false
            if main.cost > ghostTarget || small.list.isEmpty { evictFromMain(ask) } else { evictFromSmall(ask) }
        }
    }

    /// Puts a newcomer that ghost did not know into its queue, after room was made.
    ///
    /// - Returns: the number of its node.
    @usableFromInline mutating func admit(cost: Int, at place: Place) -> Int32 {
        let node = slots.take()
        let home: Home = isWarming && small.cost >= smallTarget ? .main : .small
        if Int(node) == nodes.count { nodes.append(Node(place: place, cost: cost, home: .none)) }
        nodes[Int(node)] = Node(place: place, cost: cost, home: .none)
        enter(home, node)
        return node
    }

    /// Takes a node out of ghost: the first half of its return, before room is made.
    @usableFromInline mutating func takeFromGhost(_ node: Int32) { leave(node) }

    /// Puts a node that `takeFromGhost` took out into main, after room was made: the second half.
    @usableFromInline mutating func readmit(_ node: Int32, cost: Int) {
        nodes[Int(node)].cost = cost
        enter(.main, node)
    }

    /// Changes what a held node costs, without moving it. The caller sees to it that it fits.
    @usableFromInline mutating func reprice(_ node: Int32, cost: Int) {
        let change = cost - nodes[Int(node)].cost
        nodes[Int(node)].cost = cost
        if nodes[Int(node)].home == .main { main.cost += change } else { small.cost += change }
    }

    /// What a node costs.
    @usableFromInline func cost(of node: Int32) -> Int { nodes[Int(node)].cost }

    /// Takes a node out for good, from whichever queue holds it.
    @usableFromInline mutating func forget(_ node: Int32) {
        leave(node)
        slots.give(node)
    }

    // MARK: the two evictions

    private mutating func evictFromMain(_ ask: (Place, Question) -> Bool) {
        while !main.list.isEmpty {
            let node = main.list.oldest
            guard ask(nodes[Int(node)].place, .leaveMain) else { return forget(node) }
            slots.remove(node, from: &main.list)
            slots.append(node, to: &main.list)
        }
    }

    private mutating func evictFromSmall(_ ask: (Place, Question) -> Bool) {
        while !small.list.isEmpty {
            let node = small.list.oldest
            let stays = ask(nodes[Int(node)].place, .leaveSmall)
            leave(node)
            enter(stays ? .main : .ghost, node)
            if !stays { return trimGhost(ask) }
        }
    }

    private mutating func trimGhost(_ ask: (Place, Question) -> Bool) {
        while ghost.cost > ghostTarget {
            let node = ghost.list.oldest
            _ = ask(nodes[Int(node)].place, .leaveGhost)
            forget(node)
        }
    }

    private mutating func enter(_ home: Home, _ node: Int32) {
        nodes[Int(node)].home = home
        let cost = nodes[Int(node)].cost
        switch home {
        case .none: break
        case .small: Self.enter(&small, node, cost, &slots)
        case .main: Self.enter(&main, node, cost, &slots)
        case .ghost: Self.enter(&ghost, node, cost, &slots)
        }
    }

    private mutating func leave(_ node: Int32) {
        let home = nodes[Int(node)].home
        nodes[Int(node)].home = .none
        let cost = nodes[Int(node)].cost
        switch home {
        case .none: break
        case .small: Self.leave(&small, node, cost, &slots)
        case .main: Self.leave(&main, node, cost, &slots)
        case .ghost: Self.leave(&ghost, node, cost, &slots)
        }
    }

    private static func enter(_ queue: inout Queue, _ node: Int32, _ cost: Int, _ slots: inout LinkedSlots) {
        slots.append(node, to: &queue.list)
        queue.cost += cost
    }

    private static func leave(_ queue: inout Queue, _ node: Int32, _ cost: Int, _ slots: inout LinkedSlots) {
        slots.remove(node, from: &queue.list)
        queue.cost -= cost
    }
}
