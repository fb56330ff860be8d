// Who loads, who writes back, and who writes: so that what a load brings never overwrites a set, remove or clear that
// overlapped with it. A load notes the count of writes before it looks; a write marks the loads of its key as too late and
// waits for the write-back that runs already. It holds no stream; what waits is a closure, called outside the lock.
// A key that is not equal to itself could never be taken out of a table again, so it enters none: nothing is found under it.

import Weir

/// The loads and writes under way in one composed level.
@usableFromInline final class LoadLedger<Key: Hashable & Sendable>: Sendable {
    /// One load of one key.
    @usableFromInline struct Load: Sendable {
        @usableFromInline let key: Key
        @usableFromInline let number: Int
        /// False where a write came between the look above and the load: what it brings stays below.
        @usableFromInline let counts: Bool

        @inlinable init(key: Key, number: Int, counts: Bool) {
            self.key = key
            self.number = number
            self.counts = counts
        }
    }

    @usableFromInline struct State {
        /// Loads that may still write back.
        @usableFromInline var loads: [Key: Set<Int>] = [:]
        /// Keys that are being written back now, and how often.
        @usableFromInline var writingBack: [Key: Int] = [:]
        /// Writes under way; `nil` is a clear, which touches every key.
        @usableFromInline var writers: [Key?: Int] = [:]
        /// Writes that wait for the end of a write-back.
        @usableFromInline var waiting: [(key: Key?, go: @Sendable () -> Void)] = []
        @usableFromInline var numbers = 0
        @inlinable init() {}
    }

    @usableFromInline let state = Lock(State())
    @usableFromInline let begun = Tally()
    @inlinable init() {}

    /// How many writes have begun so far.
    @inlinable var writes: Int { begun.value }

    /// Begins a load, unless a write has begun since `writes` was read.
    @inlinable func begin(_ key: Key, since seen: Int) -> Load? {
        state.withLock { state in
            guard key == key, writes == seen, state.writers[key] == nil, state.writers[nil] == nil else { return nil }
            state.numbers += 1
            state.loads[key, default: []].insert(state.numbers)
            return Load(key: key, number: state.numbers, counts: true)
        }
    }

    /// A load that may not write back.
    @inlinable func beginLate(_ key: Key) -> Load { Load(key: key, number: 0, counts: false) }

    /// Whether what the load brought may be written above; then writes to its key wait until `end`.
    @inlinable func mayWriteBack(_ load: Load) -> Bool {
        state.withLock { state in
            guard load.counts, state.loads[load.key]?.remove(load.number) != nil else { return false }
            if state.loads[load.key]?.isEmpty == true { state.loads[load.key] = nil }
            state.writingBack[load.key, default: 0] += 1
            return true
        }
    }

    /// The load is over without a write-back.
    @inlinable func end(_ load: Load) {
        state.withLock { state in
            state.loads[load.key]?.remove(load.number)
            if state.loads[load.key]?.isEmpty == true { state.loads[load.key] = nil }
        }
    }

    /// A write-back is over, however it went.
    @inlinable func endWriteBack(_ load: Load) {
        let ready = state.withLock { state -> [@Sendable () -> Void] in
            state.writingBack[load.key] = state.writingBack[load.key].flatMap { $0 > 1 ? $0 - 1 : nil }
            let (ready, rest) = state.waiting.partitioned { Self.isClear($0.key, in: state) }
            state.waiting = rest
            return ready.map(\.go)
        }
        for go in ready { go() }
    }

    /// Begins a write; `go` is called once no write-back of the key runs.
    ///
    /// - Parameter key: `nil` is all keys.
    @inlinable func beginWrite(_ key: Key?, _ go: @escaping @Sendable () -> Void) {
        guard key == key else { return go() }
        let isReady = state.withLock { state -> Bool in
            begun.add()
            state.writers[key, default: 0] += 1
            if let key { state.loads[key] = nil } else { state.loads = [:] }
            if Self.isClear(key, in: state) { return true }
            state.waiting.append((key, go))
            return false
        }
        if isReady { go() }
    }

    /// A write is over, however it went.
    @inlinable func endWrite(_ key: Key?) {
        guard key == key else { return }
        state.withLock { $0.writers[key] = $0.writers[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    /// Whether nothing is under way.
    @inlinable var isQuiet: Bool {
        state.withLock {
            $0.loads.isEmpty && $0.writingBack.isEmpty && $0.writers.isEmpty && $0.waiting.isEmpty
        }
    }

    @inlinable static func isClear(_ key: Key?, in state: State) -> Bool {
        guard let key else { return state.writingBack.isEmpty }
        return state.writingBack[key] == nil
    }
}

extension Array {
    /// Those that match, and the rest, both in order.
    @inlinable func partitioned(by matches: (Element) -> Bool) -> (matching: [Element], rest: [Element]) {
        (filter(matches), filter { !matches($0) })
    }
}
