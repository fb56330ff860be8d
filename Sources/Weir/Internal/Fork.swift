import Synchronization

/// The engine of `branches`: sends an element through all branches, then makes a row of what they answered.
///
/// Everything that downstream hears is said inside a signal of upstream, so there is nothing to serialise. Downstream is
/// held by the closures that upstream holds, as with `Gate`; the branches hold their passage, never the fork.
@usableFromInline final class Fork<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let passage = Passage<Element, Failure>()
    @usableFromInline let gate = Gate<Failure>()
    @exclusivity(unchecked) @usableFromInline var lanes: [Subscription] = []
    @exclusivity(unchecked) @usableFromInline var clear: () -> Void = {}
    @exclusivity(unchecked) @usableFromInline var hasBegun = false
    @inlinable init() {}

    /// Attaches a branch.
    @inlinable func lane<Value: Sendable>(_ branch: Observable<Value, Failure>) -> Answer<Value> {
        let answer = Answer<Value>()
        let passage = passage
        lanes.append(
            branch.attach(
                Observer(
                    next: { value in
                        if passage.isHere { answer.value = value }
                        return true
                    }, done: { passage.end($0) })))
        return answer
    }

    @inlinable func attach<Row: Sendable>(
        _ up: Observable<Element, Failure>, _ down: Observer<Row, Failure>, row: @escaping () -> Row?
    ) -> Subscription {
        gate.up = up.attach(
            Observer(
                next: { element in
                    if self.gate.isShut { return false }
                    self.pass(element)
                    let used = row().map { down.next($0) } ?? false
                    if let end = self.passage.ended {
                        self.gate.close { down.done(end) }
                        self.shut()
                    }
                    return used
                },
                done: { completion in
                    let end = self.end(completion)
                    self.gate.pass { down.done(end) }
                    self.shut()
                }))
        return Subscription(self)
    }
    /// What downstream hears at upstream's end: a branch that has failed by then, also at this very end, comes first.
    @inlinable func end(_ completion: Completion<Failure>) -> Completion<Failure> {
        if case .finished = completion, !gate.isShut, !gate.cancelled.isUp {
            begin()
            passage.finish()
        }
        if let end = passage.ended, case .failed = end { return end }
        return completion
    }
    @inlinable func begin() {
        if hasBegun { return }
        hasBegun = true
        for lane in lanes { lane.request(.unbounded) }
    }
    @inlinable func pass(_ element: Element) {
        begin()
        clear()
        passage.send(element)
    }
    @inlinable func request(_ demand: Demand) { gate.request(demand) }
    @inlinable func cancel() {
        gate.cancel()
        shut()
    }
    @inlinable func shut() {
        passage.stop()
        for lane in lanes { lane.cancel() }
    }
}

/// What a fork and its branches share. Each subscription inside a branch has a hub of its own, so that a branch that is
/// busy on another thread holds up no other one.
@usableFromInline final class Passage<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Entry = Hub<Element, Failure>.Entry
    @usableFromInline let thread = Atomic<UInt>(0)
    @usableFromInline let entries = Lock<[Entry]>([])
    @usableFromInline let end = Lock<Completion<Failure>?>(nil)
    @inlinable init() {}

    /// What each branch starts from.
    @inlinable var stream: Observable<Element, Failure> {
        Observable(depth: 0) { down in
            let hub = Hub<Element, Failure>()
            let entry = Entry(down, hub)
            // What is over goes outside the lock: it may run a foreign deinit.
            let before = self.entries.withLock { entries in
                let before = entries
                entries = before.filter { !$0.isLeft }
                entries.append(entry)
                return before
            }
            _ = before
            return Subscription(entry)
        }
    }
    /// Is this the thread on which the element passes?
    @inlinable var isHere: Bool { thread.load(ordering: .relaxed) == threadIdentity() }

    @inlinable func send(_ element: Element) {
        thread.store(threadIdentity(), ordering: .relaxed)
        for entry in entries.withLock({ $0 }) { entry.hub.send(element) }
        thread.store(0, ordering: .relaxed)
    }
    /// Upstream has finished: whoever listens now hears it; a branch that starts over at that hears no more.
    @inlinable func finish() { for entry in entries.withLock({ $0 }) { entry.hub.signal(.done(.finished)) } }
    @inlinable func stop() {
        let entries = entries.withLock { entries in
            let all = entries
            entries = []
            return all
        }
        for entry in entries { entry.hub.signal(.stop) }
    }
    /// The first branch that failed, or else the first that finished.
    @inlinable var ended: Completion<Failure>? { end.withLock { $0 } }
    @inlinable func end(_ completion: Completion<Failure>) {
        end.withLock { end in
            if case .failed = end { return }
            if case .failed = completion { end = completion } else { end = .finished }
        }
    }
}

/// A branch's answer to the element in hand; only the thread on which it passes touches it.
@usableFromInline final class Answer<Value> {
    @usableFromInline struct None: Error { @inlinable init() {} }
    @exclusivity(unchecked) @usableFromInline var value: Value?
    @inlinable init() {}
    @inlinable func taken() throws -> Value {
        guard let value else { throw None() }
        return value
    }
}
