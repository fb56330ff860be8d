/// The automaton of an expression: one state for each place where a character is taken, and for each state those that
/// may follow it (Glushkov, "The abstract theory of automata", 1961). It has no empty steps and never goes back: a
/// segment costs its length times the number of states, whatever it says.
final class RouteAutomaton: Sendable {
    /// Words in a set of states.
    private let width: Int
    private let sets: [ScalarSet]
    /// The sets of the states that may follow, one after the other.
    private let followers: [UInt64]
    private let first: [UInt64]
    private let last: [UInt64]
    private let takesNothing: Bool

    init(_ node: ExpressionNode) {
        var builder = AutomatonBuilder(states: node.states)
        let whole = builder.add(node)
        width = builder.width
        sets = builder.sets
        followers = builder.followers.flatMap { $0.words }
        first = whole.first.words
        last = whole.last.words
        takesNothing = whole.takesNothing
    }

    /// Whether the whole text is taken.
    ///
    /// - Complexity: O(scalars × states).
    func takes(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.isEmpty { return takesNothing }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * width) { words in
            let halves = (words[..<width], words[width...])
            var here = UnsafeMutableBufferPointer(rebasing: halves.0)
            var next = UnsafeMutableBufferPointer(rebasing: halves.1)
            _ = here.initialize(from: first)
            next.initialize(repeating: 0)
            var bytes = text.makeIterator()
            var codec = UTF8()
            var isTaken = false
            while case .scalarValue(let scalar) = codec.decode(&bytes) {
                isTaken = step(from: here, to: next, by: scalar.value)
                swap(&here, &next)
                next.update(repeating: 0)
            }
            return isTaken
        }
    }

    /// Lets the states of `here` take a scalar; answers whether the text may end behind it.
    private func step(
        from here: UnsafeMutableBufferPointer<UInt64>, to next: UnsafeMutableBufferPointer<UInt64>, by scalar: UInt32
    ) -> Bool {
        var isTaken = false
        for word in 0..<width {
            var rest = here[word]
            while rest != 0 {
                let state = word * 64 + rest.trailingZeroBitCount
                rest &= rest - 1
                guard sets[state].contains(scalar) else { continue }
                isTaken = isTaken || last[word] >> UInt64(state % 64) & 1 == 1
                for index in 0..<width { next[index] |= followers[state * width + index] }
            }
        }
        return isTaken
    }
}

extension ExpressionNode {
    /// How many states its automaton has: never more than a little over the most that may be.
    var states: Int {
        switch self {
        case .one: 1
        case .sequence(let nodes), .choice(let nodes): nodes.reduce(0) { Self.bounded($0 + $1.states) }
        case .repeated(let node, let least, let most): Self.bounded(node.states * (most ?? max(least, 1)))
        }
    }

    private static func bounded(_ count: Int) -> Int { min(count, ExpressionParser.maximumStates + 1) }
}

/// A set of states.
private struct StateSet {
    var words: [UInt64]

    init(width: Int) { words = [UInt64](repeating: 0, count: width) }

    mutating func insert(_ state: Int) { words[state / 64] |= 1 << UInt64(state % 64) }
    mutating func formUnion(_ other: StateSet) { for index in words.indices { words[index] |= other.words[index] } }
    func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}

private struct AutomatonBuilder {
    /// A part of the automaton: where it begins, where it may end, and whether it may be passed over.
    struct Part {
        var first: StateSet
        var last: StateSet
        var takesNothing: Bool
    }

    let width: Int
    var sets: [ScalarSet] = []
    var followers: [StateSet] = []

    init(states: Int) { width = max(1, (states + 63) / 64) }

    private var nothing: Part {
        Part(first: StateSet(width: width), last: StateSet(width: width), takesNothing: true)
    }

    mutating func add(_ node: ExpressionNode) -> Part {
        switch node {
        case .one(let set): return add(set)
        case .sequence(let nodes): return nodes.reduce(nothing) { join($0, add($1)) }
        case .choice(let nodes):
            var whole = nothing
            whole.takesNothing = false
            for part in nodes.map({ add($0) }) {
                whole.first.formUnion(part.first)
                whole.last.formUnion(part.last)
                whole.takesNothing = whole.takesNothing || part.takesNothing
            }
            return whole
        case .repeated(let node, let least, let most): return add(node, least, most)
        }
    }

    private mutating func add(_ set: ScalarSet) -> Part {
        var part = nothing
        part.first.insert(sets.count)
        part.last.insert(sets.count)
        part.takesNothing = false
        sets.append(set)
        followers.append(StateSet(width: width))
        return part
    }

    private mutating func add(_ node: ExpressionNode, _ least: Int, _ most: Int?) -> Part {
        var whole = nothing
        let copies = most ?? max(least, 1)
        for copy in 0..<copies {
            var part = add(node)
            if most == nil, copy == copies - 1 { link(part.last, to: part.first) }
            if copy >= least { part.takesNothing = true }
            whole = join(whole, part)
        }
        return whole
    }

    private mutating func join(_ left: Part, _ right: Part) -> Part {
        link(left.last, to: right.first)
        var whole = Part(
            first: left.first, last: right.last, takesNothing: left.takesNothing && right.takesNothing)
        if left.takesNothing { whole.first.formUnion(right.first) }
        if right.takesNothing { whole.last.formUnion(left.last) }
        return whole
    }

    private mutating func link(_ states: StateSet, to next: StateSet) {
        states.forEach { followers[$0].formUnion(next) }
    }
}
