// State that many threads and handlers touch, one step at a time. Whoever comes first runs; others, and what a step
// itself calls, leave their step in a line and go on. No lock is held while a step runs, so a step may call anything.

/// Runs steps on a state one after another, in the order in which they came.
final class Sequencer<State>: Sendable {
    typealias Step = @Sendable (inout State) -> Void

    private struct Box {
        /// The state, while nobody runs; whoever runs has it.
        var state: State?
        var line: [Step] = []

        /// Lets go of the state, unless somebody has come meanwhile.
        mutating func putBack(_ state: State) -> Bool {
            guard line.isEmpty else { return false }
            self.state = state
            return true
        }
    }
    private let box: Lock<Box>
    /// Under load the settling step runs at least once in so many steps.
    private static var most: Int { 64 }

    init(_ state: State) { box = Lock(Box(state: state)) }

    /// Runs `step` now, or lets whoever runs at present do it before it goes.
    ///
    /// - Parameter settle: runs after the last step in the line, and now and then while the line is long: what several
    ///   steps are better served by at once. It is the same for all steps of one sequencer.
    func run(_ step: @escaping Step, settle: (inout State) -> Void = { _ in }) {
        let taken = box.withLock { box -> State? in
            guard let state = box.state else {
                box.line.append(step)
                return nil
            }
            box.state = nil
            return state
        }
        guard var state = taken else { return }
        step(&state)
        var count = 1
        while true {
            let steps = box.withLock { box in
                defer { box.line = [] }
                return box.line
            }
            for step in steps { step(&state) }
            count += steps.count
            guard steps.isEmpty || count >= Self.most else { continue }
            settle(&state)
            count = 0
            if box.withLock({ $0.putBack(state) }) { return }
        }
    }
}

/// First in, first out; each element is moved a bounded number of times.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            elements[head] = nil
            head += 1
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }

    mutating func replaceFirst(_ element: Element) {
        if !isEmpty { elements[head] = element }
    }

    /// Takes out what fits; O(n).
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(fits) ?? false }) else { return nil }
        return elements.remove(at: index)
    }

    /// All that is left, taken out.
    mutating func removeAll() -> [Element] {
        defer { self = Queue() }
        return elements[head...].compactMap { $0 }
    }
}
