// refreshing(staleAfter:): a value that is getting old is answered at once, and loaded anew behind it.

import Foundation
import Weir

extension CacheLevel {
    /// Answers a value that is older than a limit at once, and lets the cache load it anew in the background: one load for a
    /// key at one time, through `reload`. A load that fails leaves what is there; the next get tries again. An entry's own
    /// expiry, or that of `expiring(after:)`, wins: what is over is a miss, whatever load is under way.
    ///
    /// An entry that does not say when it was stored counts as fresh.
    ///
    /// - Parameters:
    ///   - age: from the moment in which an entry was stored; zero or less loads anew at each get.
    ///   - now: the wall clock.
    public func refreshing(
        staleAfter age: Duration, now: @escaping @Sendable () -> Date = { Date() }
    ) -> some CacheLevel<Key, Value> {
        Refreshing(base: self, age: age.reachable, now: now, loads: BackgroundLoads())
    }
}

struct Refreshing<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let age: Duration
    let now: @Sendable () -> Date
    let loads: BackgroundLoads<Key>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held(
            { held(key) },
            else: {
                base.entry(key).map { entry in
                    if isStale(entry) { refresh(key) }
                    return entry
                }.gated(by: gate)
            })
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { base.reload(key).gated(by: gate) }

    /// What the level inside has at hand, where it is fresh: to look is not to begin a load.
    func held(_ key: Key) -> CacheEntry<Value>? {
        guard gate.isOpen, let entry = base.held(key), !isStale(entry) else { return nil }
        return entry
    }

    func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler, then: base)
        loads.cancel()
    }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(Refreshing<Other>(base: other, age: age, now: now, loads: loads))
    }

    private func isStale(_ entry: CacheEntry<Value>) -> Bool {
        guard let stored = entry.stored else { return false }
        return now() >= stored + age.seconds
    }

    private func refresh(_ key: Key) {
        let stream = base.reload(key).gated(by: gate)
        loads.begin(key) { done in
            stream.subscribe({ _ in }) { completion in
                done()
                if case .failed(let error) = completion, !error.isClosed {
                    reportUnawaited("\(key): could not be loaded anew", error)
                }
            }
        }
    }
}

/// Loads that nobody waits for, one for a key at one time. They end with the last level that holds this.
final class BackgroundLoads<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var numbers = 0
        /// The load of a key, and what holds it once it is there.
        var loads: [Key: (number: Int, token: SubscriptionToken?)] = [:]
    }
    private let state = Lock(State())

    /// How many run.
    var count: Int { state.withLock { $0.loads.count } }

    /// Begins a load, unless there is one of this key.
    func begin(_ key: Key, _ load: (_ done: @escaping @Sendable () -> Void) -> SubscriptionToken) {
        let number = state.withLock { state -> Int? in
            // A key that is not equal to itself could never be taken out again.
            guard key == key, state.loads[key] == nil else { return nil }
            state.numbers += 1
            state.loads[key] = (state.numbers, nil)
            return state.numbers
        }
        guard let number else { return }
        let token = load { [weak self] in self?.end(key, number) }
        state.withLock { state in
            if state.loads[key]?.number == number { state.loads[key]?.token = token }
        }
    }

    /// Cancels all.
    func cancel() {
        let loads = state.withLock { state in
            defer { state.loads = [:] }
            return state.loads
        }
        for load in loads.values { load.token?.cancel() }
    }

    private func end(_ key: Key, _ number: Int) {
        let gone = state.withLock { state in
            state.loads[key]?.number == number ? state.loads.removeValue(forKey: key) : nil
        }
        _ = gone
    }
}

extension CacheError {
    fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
}
