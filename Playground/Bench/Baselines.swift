// The same work by hand: what the rows of the core are compared with.

import Synchronization
import Weir

let baselineRows = [
    Row("a plain loop", per: "element", units: million, expected: Fold.sum(million)) {
        let count = opaque(million)
        return { Fold.sum(count) }
    },
    Row("a loop over three opaque closures", per: "element", units: million, expected: Fold.sum(million)) {
        let count = opaque(million)
        let first = opaqueFunction { Fold.first($0) }
        let keeps = opaquePredicate { Fold.keeps($0) }
        let second = opaqueFunction { Fold.second($0) }
        return {
            var sum = 0
            for value in 0..<count {
                let element = first(value)
                if keeps(element) { sum &+= second(element) }
            }
            return sum
        }
    },
    arrayOfClosures(1), arrayOfClosures(10), arrayOfClosures(100),
    Row("a nest of 1,000 closures", per: "call", units: 1_000_000, expected: 999 * 1_000 / 2 + 1_000_000) {
        var nest = opaqueFunction { $0 }
        for _ in 0..<1_000 {
            let inner = nest
            nest = opaqueFunction { inner($0 &+ 1) }
        }
        let outermost = nest
        return {
            var sum = 0
            for value in 0..<1_000 { sum &+= outermost(value) }
            return sum
        }
    },
    Row(
        "a locked array from thread to thread", per: "element", units: 200_000, time: .wall, expected: 200_000
    ) {
        {
            let mailbox = Mailbox()
            let count = 200_000
            let consumer = Worker { mailbox.count() }
            for value in 0..<count { mailbox.put(value) }
            mailbox.close()
            consumer.join()
            return mailbox.counted.value
        }
    },
]

// A generic `opaque` would call each closure through two thunks more.
@inline(never) @_optimize(none) private func opaqueFunction(_ body: @escaping (Int) -> Int) -> (Int) -> Int { body }
@inline(never) @_optimize(none) private func opaquePredicate(_ body: @escaping (Int) -> Bool) -> (Int) -> Bool { body }

/// The event source that everybody has written once.
private final class Emitter {
    @exclusivity(unchecked) var handlers: [(Int) -> Void] = []
    func send(_ value: Int) { for handler in handlers { handler(value) } }
}

private func arrayOfClosures(_ count: Int) -> Row {
    Row("an array of closures delivers to \(count)", per: "delivery", units: million, expected: million) {
        let emitter = Emitter()
        let sum = Sum()
        for _ in 0..<count { emitter.handlers.append { _ in sum.value &+= 1 } }
        return {
            sum.value = 0
            for value in 0..<million / count { emitter.send(value) }
            return sum.value
        }
    }
}

/// A hop by hand: the producer appends under a lock, the consumer swaps the array for an empty one.
private final class Mailbox: Sendable {
    private struct State {
        var values: [Int] = []
        var isClosed = false
    }
    private let state = Mutex(State())
    private let filled = Signal()
    let counted = Sum()

    func put(_ value: Int) {
        let wasEmpty = state.withLock { state in
            state.values.append(value)
            return state.values.count == 1
        }
        if wasEmpty { filled.raise() }
    }
    func close() {
        state.withLock { $0.isClosed = true }
        filled.raise()
    }
    func count() {
        while true {
            let (values, isClosed) = state.withLock { state in
                let answer = (state.values, state.isClosed)
                state.values = []
                return answer
            }
            for _ in values { counted.value &+= 1 }
            if values.isEmpty {
                if isClosed { return }
                filled.wait()
            }
        }
    }
}
