/// The routes of a table as one tree of segments, flat in a few arrays: nothing in it is a reference, so that a copy is
/// a `memcpy` and a walk counts no references.
///
/// There are two roots, for URLs with a host and without one. A node stands for the segments from the root to it, and
/// its depth says which segment it looks at: a search visits a node at most once, whatever it has to try. So its time is
/// bounded by the number of nodes, without a memo of what failed.
///
/// Patterns of one shape share their nodes. Where they end, a slot for each kind of end (scheme, optional, slash) holds
/// a stack of entries; the newest one counts.
struct RouteTrie: Sendable {
    static let none: Int32 = -1
    static let rootWithoutHost: Int32 = 0
    static let rootWithHost: Int32 = 1
    /// Parent of the schemes in the table of literals; their nodes only serve as numbers.
    static let schemes: Int32 = 2

    struct Node {
        /// Some segment leads on as a literal; where none does, none is hashed.
        var hasLiterals = false
        var constraints = none
        var parameter = none
        var any = none
        var ends = none
        var rests = none
    }

    /// From a node by a literal segment, in an open-addressing table for the whole tree.
    struct Literal {
        var parent = none
        var child = none
        var hash: UInt32 = 0
        var keyStart: Int32 = 0
        var keyCount: Int32 = 0
    }

    /// From a node by a constrained parameter; a linked list for each node.
    struct Constraint {
        let constraint: RouteConstraint
        let child: Int32
        let next: Int32
    }

    /// One kind of end at a node; a list for each node, the most particular kind first.
    struct Slot {
        /// Lower comes first.
        let rank: Int32
        let scheme: Int32
        let hasTrailingSlash: Bool
        var top: Int32
        var next: Int32
    }

    /// One place of one entry: newest on top of its slot, and linked to the entry's other places.
    struct Place {
        var entry: Int32
        var slot: Int32
        var above: Int32
        var below: Int32
        var sibling: Int32
    }

    struct UnicodeLiteral: Hashable {
        let parent: Int32
        let text: String
    }

    let options: RoutingOptions
    var nodes: [Node] = [Node(), Node(), Node()]
    var literals = [Literal](repeating: Literal(), count: 16)
    var literalCount = 0
    /// The bytes of all literals.
    var keys: [UInt8] = []
    /// Literals beyond ASCII.
    var unicode: [UnicodeLiteral: Int32] = [:]
    var constraints: [Constraint] = []
    var slots: [Slot] = []
    var places: [Place] = []
    /// For each entry its first place; `none` where it was removed.
    var entries: [Int32] = []
    /// The depth of the deepest node.
    var depth = 0
    /// Places of entries that were removed.
    var deadPlaces = 0

    init(options: RoutingOptions) { self.options = options }
}

// MARK: Adding

extension RouteTrie {
    /// Adds a pattern as entry number `entry`, on top of its equals.
    ///
    /// - Complexity: O(length of the pattern), amortised.
    mutating func insert(_ pattern: RoutePattern, entry: Int) {
        while entries.count <= entry { entries.append(Self.none) }
        let storage = pattern.storage
        if storage.host != .required { insert(storage, from: Self.rootWithoutHost, entry: entry) }
        if storage.host != .absent { insert(storage, from: Self.rootWithHost, entry: entry) }
        // `app://:x?` without its host is `app://`, which has none.
        if storage.scheme != nil, storage.host == .required, storage.isLastOptional, storage.segments.count == 1 {
            let end = slot(\.ends, at: Self.rootWithoutHost, storage, isShort: true)
            push(entry, on: end)
        }
    }

    private mutating func insert(_ pattern: RoutePattern.Storage, from root: Int32, entry: Int) {
        var node = root
        for (index, segment) in pattern.segments.enumerated() {
            if pattern.isLastOptional, index == pattern.segments.count - 1 {
                push(entry, on: slot(\.ends, at: node, pattern, isShort: true))
            }
            node = child(of: node, segment, folding: folds(index, root: root))
        }
        depth = max(depth, pattern.segments.count)
        push(entry, on: slot(pattern.rest == nil ? \.ends : \.rests, at: node, pattern, isShort: false))
    }

    /// Whether the segment of this number ignores case: a host always does.
    func folds(_ index: Int, root: Int32) -> Bool {
        !options.contains(.exactPathCase) || index == 0 && root == Self.rootWithHost
    }

    private mutating func child(of node: Int32, _ segment: RoutePattern.Segment, folding: Bool) -> Int32 {
        switch segment {
        case .literal(let text): return literalChild(of: node, SegmentKey(text, folding: folding))
        case .parameter(_, let constraint?): return constrainedChild(of: node, constraint)
        case .parameter: return onlyChild(of: node, \.parameter)
        case .any: return onlyChild(of: node, \.any)
        }
    }

    private mutating func newNode() -> Int32 {
        nodes.append(Node())
        return Int32(nodes.count - 1)
    }

    private mutating func onlyChild(of node: Int32, _ edge: WritableKeyPath<Node, Int32>) -> Int32 {
        let child = nodes[Int(node)][keyPath: edge]
        guard child == Self.none else { return child }
        let new = newNode()
        nodes[Int(node)][keyPath: edge] = new
        return new
    }

    private mutating func constrainedChild(of node: Int32, _ constraint: RouteConstraint) -> Int32 {
        let first = nodes[Int(node)].constraints
        var edge = first
        while edge != Self.none {
            if constraints[Int(edge)].constraint == constraint { return constraints[Int(edge)].child }
            edge = constraints[Int(edge)].next
        }
        let new = newNode()
        constraints.append(Constraint(constraint: constraint, child: new, next: first))
        nodes[Int(node)].constraints = Int32(constraints.count - 1)
        return new
    }
}

// MARK: Ends

extension RouteTrie {
    /// The slot for ends of this kind, made where it is missing, in its place by rank.
    private mutating func slot(
        _ list: WritableKeyPath<Node, Int32>, at node: Int32, _ pattern: RoutePattern.Storage, isShort: Bool
    ) -> Int32 {
        let scheme = pattern.scheme.map { literalChild(of: Self.schemes, SegmentKey($0, folding: true)) } ?? Self.none
        let slash = options.contains(.significantTrailingSlash) && pattern.hasTrailingSlash && pattern.rest == nil
        let rank = pattern.endRank(isShort: isShort) * 4 + pattern.frameRank
        var before = Self.none
        var slot = nodes[Int(node)][keyPath: list]
        while slot != Self.none, slots[Int(slot)].rank <= rank {
            let found = slots[Int(slot)]
            if found.rank == rank, found.scheme == scheme, found.hasTrailingSlash == slash { return slot }
            before = slot
            slot = found.next
        }
        slots.append(Slot(rank: rank, scheme: scheme, hasTrailingSlash: slash, top: Self.none, next: slot))
        let new = Int32(slots.count - 1)
        if before == Self.none { nodes[Int(node)][keyPath: list] = new } else { slots[Int(before)].next = new }
        return new
    }

    private mutating func push(_ entry: Int, on slot: Int32) {
        let new = Int32(places.count)
        let below = slots[Int(slot)].top
        places.append(
            Place(entry: Int32(entry), slot: slot, above: Self.none, below: below, sibling: entries[entry]))
        if below != Self.none { places[Int(below)].above = new }
        slots[Int(slot)].top = new
        entries[entry] = new
    }

    /// Takes an entry out. Its nodes stay until the table is built anew (`isMostlyDead`).
    ///
    /// - Complexity: O(1).
    mutating func remove(_ entry: Int) {
        var index = entries[entry]
        entries[entry] = Self.none
        while index != Self.none {
            let place = places[Int(index)]
            if place.above == Self.none {
                slots[Int(place.slot)].top = place.below
            } else {
                places[Int(place.above)].below = place.below
            }
            if place.below != Self.none { places[Int(place.below)].above = place.above }
            deadPlaces += 1
            index = place.sibling
        }
    }

    /// More was removed than is left: time to build it anew.
    var isMostlyDead: Bool { deadPlaces > 32 && deadPlaces * 2 > places.count }
}
