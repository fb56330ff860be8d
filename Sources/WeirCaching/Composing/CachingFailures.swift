// cachingFailures(for:): what failed is not tried again for a while.

import Foundation
import Weir

extension CacheLevel {
    /// Remembers failures: for a while a get of the same key fails with the same error, and this level is not asked.
    ///
    /// A `set`, `remove` or `clear` forgets; a failure that overlapped with one is not remembered. What was cancelled, closed
    /// or not allowed by a condition is not a failure of the key, and is not remembered either.
    ///
    /// - Parameters:
    ///   - life: how long from the failure on; zero or less remembers nothing.
    ///   - count: failures at most; over it the older ones are forgotten.
    ///   - now: the wall clock.
    public func cachingFailures(
        for life: Duration, atMost count: Int = 10_000, now: @escaping @Sendable () -> Date = { Date() }
    ) -> some CacheLevel<Key, Value> {
        CachedFailures(
            base: self, life: life.reachable, failures: MemoryLevel(limit: count, cost: { _ in 1 }, now: now),
            ledger: LoadLedger(), now: now)
    }
}

struct CachedFailures<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let life: Duration
    let failures: MemoryLevel<Key, CacheError>
    let ledger: LoadLedger<Key>
    let now: @Sendable () -> Date
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { unlessFailed(key).gated(by: gate) })
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.deferred { remembering(key, base.reload(key)) }.gated(by: gate)
    }

    func held(_ key: Key) -> CacheEntry<Value>? { gate.isOpen ? base.held(key) : nil }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        forgetting(key, base.set(entry, forKey: key))
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> { forgetting(key, base.remove(key)) }
    func clear() -> Observable<Never, CacheError> { forgetting(nil, base.clear()) }

    func onMemoryPressure(_ pressure: MemoryPressureLevel) {
        failures.onMemoryPressure(pressure)
        base.onMemoryPressure(pressure)
    }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(CachedFailures<Other>(base: other, life: life, failures: failures, ledger: ledger, now: now))
    }

    private func unlessFailed(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        if let failure = failures.held(key) { return .fail(failure.value) }
        return remembering(key, base.entry(key))
    }

    private func remembering(
        _ key: Key, _ stream: Observable<CacheEntry<Value>, CacheError>
    ) -> Observable<CacheEntry<Value>, CacheError> {
        let load = ledger.begin(key, since: ledger.writes) ?? ledger.beginLate(key)
        return stream.orNotFound()
            .mapError { error in
                guard error.isOfTheKey, ledger.mayWriteBack(load) else { return error }
                defer { ledger.endWriteBack(load) }
                // No room for it is no reason to fail otherwise than the load did.
                try? failures.insert(CacheEntry(error, expiry: now() + life.seconds), forKey: key)
                return error
            }
            .finally { ledger.end(load) }
    }

    private func forgetting(
        _ key: Key?, _ command: Observable<Never, CacheError>
    ) -> Observable<Never, CacheError> {
        Observable<Never, CacheError>.create { emitter in ledger.beginWrite(key) { emitter.finish() } }
            .concat(.deferred { key.map { failures.remove($0) } ?? failures.clear() }.concat(command))
            .finally { ledger.endWrite(key) }
            .gated(by: gate)
    }
}

extension CacheError {
    /// Whether asking for the same key again may end in the same way.
    fileprivate var isOfTheKey: Bool {
        switch self {
        case .cancelled, .closed, .conditionNotSatisfied: false
        default: true
        }
    }
}
