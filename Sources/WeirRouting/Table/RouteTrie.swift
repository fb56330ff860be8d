/// The routes of a table as one tree of segments, flat in a few arrays: but for expressions nothing in it is a reference,
/// so that a copy is a `memcpy` and a walk counts no references.
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

    /// From a node by a constrained parameter; a linked list for each node, in the order in which they are tried.
    struct Constraint {
        /// Its number in `kinds`.
        let kind: Int32
        let child: Int32
        var next: Int32
    }

    /// One kind of end at a node; a list for each node, the most particular kind first.
    struct Slot {
        /// The constraint of the last segment, which is missing: its number in `kinds`; or one of the two below.
        let shortness: Int32
        let frame: Int32
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
    /// All constraints, each once.
    var kinds: [RouteConstraint] = []
    var kindNumbers: [RouteConstraint: Int32] = [:]
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
        var before = Self.none
        var edge = nodes[Int(node)].constraints
        while edge != Self.none {
            let found = constraints[Int(edge)]
            let kind = kinds[Int(found.kind)]
            if kind == constraint { return found.child }
            if constraint < kind { break }
            before = edge
            edge = found.next
        }
        let new = newNode()
        constraints.append(Constraint(kind: number(of: constraint), child: new, next: edge))
        let last = Int32(constraints.count - 1)
        if before == Self.none { nodes[Int(node)].constraints = last } else { constraints[Int(before)].next = last }
        return new
    }

    private mutating func number(of constraint: RouteConstraint) -> Int32 {
        if let number = kindNumbers[constraint] { return number }
        kinds.append(constraint)
        let number = Int32(kinds.count - 1)
        kindNumbers[constraint] = number
        return number
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
        let shortness = number(of: pattern.shortness(isShort: isShort))
        let frame = pattern.frameRank
        var before = Self.none
        var slot = nodes[Int(node)][keyPath: list]
        while slot != Self.none {
            let found = slots[Int(slot)]
            let isSame = found.shortness == shortness && found.frame == frame
            if isSame, found.scheme == scheme, found.hasTrailingSlash == slash { return slot }
            if !isSame, isBefore((shortness, frame), (found.shortness, found.frame)) { break }
            before = slot
            slot = found.next
        }
        slots.append(
            Slot(
                shortness: shortness, frame: frame, scheme: scheme, hasTrailingSlash: slash, top: Self.none, next: slot)
        )
        let new = Int32(slots.count - 1)
        if before == Self.none { nodes[Int(node)][keyPath: list] = new } else { slots[Int(before)].next = new }
        return new
    }

    private static let whole: Int32 = -1
    private static let parameter: Int32 = -2

    private mutating func number(of shortness: RoutePattern.Storage.Shortness) -> Int32 {
        switch shortness {
        case .whole: Self.whole
        case .constrained(let constraint): number(of: constraint)
        case .parameter: Self.parameter
        }
    }

    private func isBefore(_ left: (Int32, frame: Int32), _ right: (Int32, frame: Int32)) -> Bool {
        let (first, second) = (shortness(left.0), shortness(right.0))
        return first == second ? left.frame < right.frame : first < second
    }

    private func shortness(_ number: Int32) -> RoutePattern.Storage.Shortness {
        switch number {
        case Self.whole: .whole
        case Self.parameter: .parameter
        default: .constrained(kinds[Int(number)])
        }
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
