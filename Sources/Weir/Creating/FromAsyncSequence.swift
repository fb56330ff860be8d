// from an AsyncSequence: pushes what a pulled sequence yields.
//
//     Observable(lines)
//     --a---b----c--|

extension Observable {
    /// Pulls an `AsyncSequence` on demand and pushes what it yields.
    ///
    /// The first request starts a task for the subscription, with the subscriber's task-locals and priority; it pulls one
    /// element for each that was asked for, and one ahead so that the end needs no demand. Cancel cancels the task, and
    /// nothing is signalled after it. O(1) for each element.
    ///
    /// - Parameter elements: any sequence with this stream's failure; each subscription makes an iterator of its own.
    @inlinable
    public init<Elements: AsyncSequence & Sendable>(
        _ elements: Elements, file: StaticString = #fileID, line: UInt = #line
    ) where Elements.Element == Element, Elements.Failure == Failure {
        self.init(source: Stage("asyncSequence", nil, Element.self, file, line)) {
            Subscription(AsyncSequenceSource($0, elements))
        }
    }
}

@usableFromInline final class AsyncSequenceSource<Elements: AsyncSequence & Sendable>: Engine
where Elements.Element: Sendable {
    @usableFromInline let custody: Custody<Elements.Element, Elements.Failure>
    @usableFromInline let handle = TaskHandle()
    @usableFromInline let turn = Turn()
    @usableFromInline let elements: Elements

    @inlinable init(_ down: Observer<Elements.Element, Elements.Failure>, _ elements: Elements) {
        custody = Custody(down)
        self.elements = elements
    }
    @inlinable func request(_ demand: Demand) {
        turn.add(demand)
        handle.start(self) { await $0.pull() }
    }
    @inlinable func cancel() {
        custody.drop()
        handle.cancel()
        turn.end()
    }
    @inlinable nonisolated(nonsending) func pull() async {
        var iterator = elements.makeAsyncIterator()
        do throws(Elements.Failure) {
            while let element = try await iterator.next(isolation: nil) {
                guard await turn.take() else { return }
                guard let used = custody.next(element) else { return }
                if !used { turn.giveBack() }
            }
            custody.done(.finished)
        } catch {
            custody.done(.failed(error))
        }
    }
}

/// Demand that a task waits for.
@usableFromInline struct Turn: ~Copyable, Sendable {
    @usableFromInline struct State {
        @usableFromInline var left = 0
        @usableFromInline var isOver = false
        @usableFromInline var waiter: UnsafeContinuation<Void, Never>?
        @inlinable init() {}
    }
    @usableFromInline let state = Lock(State())
    @inlinable init() {}

    @inlinable borrowing func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }
    @inlinable borrowing func add(_ demand: Demand) { wake { $0.left = saturating($0.left, demand.count) } }
    @inlinable borrowing func giveBack() { wake { $0.left = saturating($0.left, 1) } }
    @inlinable borrowing func end() { wake { $0.isOver = true } }

    /// Takes one unit, waiting for it. `false`: the stream is over.
    @inlinable borrowing func take() async -> Bool {
        while true {
            let answer: Bool? = state.withLock { state in
                if state.isOver { return false }
                if state.left == 0 { return nil }
                if state.left != .max { state.left -= 1 }
                return true
            }
            if let answer { return answer }
            await withUnsafeContinuation { waiter in
                let isReady = state.withLock { state in
                    if state.isOver || state.left > 0 { return true }
                    state.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
        }
    }
}
