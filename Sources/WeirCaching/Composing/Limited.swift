// limited(maxConcurrent:): only so many gets at one time.

import Weir

extension CacheLevel {
    /// Lets only so many gets through at one time; the others wait in their order. A get that is cancelled leaves the queue.
    /// What the level has at hand is answered at once; `set`, `remove` and `clear` never wait.
    ///
    /// Waiting gets cost O(1) each.
    ///
    /// - Parameter count: gets at one time; less than one counts as one.
    public func limited(maxConcurrent count: Int) -> some CacheLevel<Key, Value> {
        Limited(base: self, places: Places(count: max(1, count)))
    }
}

struct Limited<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let places: Places
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { base.entry(key).limited(by: places).gated(by: gate) })
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.reload(key).limited(by: places).gated(by: gate)
    }

    func held(_ key: Key) -> CacheEntry<Value>? { gate.isOpen ? base.held(key) : nil }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(Limited<Other>(base: other, places: places))
    }
}

extension Observable where Failure == CacheError {
    /// This, begun once there is a place, which it keeps until its end.
    func limited(by places: Places) -> Self {
        .create { emitter in
            let number = places.enter {
                if emitter.isOver { return }
                let token = self.subscribe({ emitter.send($0) }, done: { emitter.send(completion: $0) })
                emitter.onTermination { token.cancel() }
            }
            emitter.onTermination { places.leave(number) }
        }
    }
}

/// Who is inside, and who waits. The lock decides; who may begin is told outside.
final class Places: Sendable {
    private struct State {
        var numbers = 0
        var inside: Set<Int> = []
        /// By number; the oldest that may still wait is `oldest`.
        var waiting: [Int: @Sendable () -> Void] = [:]
        var oldest = 1
        /// One thread at a time lets those in that waited, so that a long queue of gets that answer at once needs no stack.
        var isLettingIn = false

        mutating func next(of count: Int) -> (@Sendable () -> Void)? {
            guard !isLettingIn, inside.count < count, !waiting.isEmpty else { return nil }
            while waiting[oldest] == nil { oldest += 1 }
            isLettingIn = true
            inside.insert(oldest)
            return waiting.removeValue(forKey: oldest)
        }
    }

    private let count: Int
    private let state = Lock(State())

    init(count: Int) { self.count = count }

    /// How many are inside, and how many wait.
    var numbers: (inside: Int, waiting: Int) { state.withLock { ($0.inside.count, $0.waiting.count) } }

    /// Calls `begin` once there is a place, at once where there is one now.
    ///
    /// - Returns: what `leave` wants.
    func enter(_ begin: @escaping @Sendable () -> Void) -> Int {
        let (number, isFree) = state.withLock { state in
            state.numbers += 1
            let isFree = state.inside.count < count && state.waiting.isEmpty
            if isFree { state.inside.insert(state.numbers) } else { state.waiting[state.numbers] = begin }
            return (state.numbers, isFree)
        }
        if isFree { begin() }
        return number
    }

    /// Gives the place free, or leaves the queue; a second call does nothing.
    func leave(_ number: Int) {
        let gone = state.withLock { state in
            state.inside.remove(number)
            return state.waiting.removeValue(forKey: number)
        }
        withExtendedLifetime(gone) {
            while let begin = state.withLock({ $0.next(of: count) }) {
                begin()
                state.withLock { $0.isLettingIn = false }
            }
        }
    }
}
