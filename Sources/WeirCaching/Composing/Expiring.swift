// expiring(after:): a limit to the age of entries, around one level. Composed and pooled caches hand it down, so that it
// stands around each level that stores, and the deadline is stored with the value.

import Foundation
import Weir

/// A level whose entries hold for a limited time from the moment they were first stored.
struct Expiring<Base: CacheLevel>: CacheLevel {
    typealias Key = Base.Key
    typealias Value = Base.Value

    let base: Base
    let life: Duration
    let now: @Sendable () -> Date
    private let gate = WorkGate()

    init(base: Base, life: Duration, now: @escaping @Sendable () -> Date) {
        self.base = base
        // A deadline that no calendar can add is as good as one in 136 years.
        self.life = life.reachable
        self.now = now
    }

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.entry(key)
            .flatMap { entry in
                let entry = dated(entry)
                if !entry.isExpired(at: now()) { return .just(entry) }
                // What the base itself does not know to be over has to go, or a cache in there would answer it for ever.
                return base.remove(key).then(fresh(base.entry(key))).catch { error in
                    if case .notFound = error { .fail(.expired) } else { .fail(error) }
                }
            }
            .gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        fresh(base.reload(key)).gated(by: gate)
    }

    func held(_ key: Key) -> CacheEntry<Value>? {
        guard gate.isOpen, let entry = base.held(key).map(dated), !entry.isExpired(at: now()) else { return nil }
        return entry
    }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        .deferred { base.set(dated(entry), forKey: key) }.gated(by: gate)
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> { base.remove(key).gated(by: gate) }
    func clear() -> Observable<Never, CacheError> { base.clear().gated(by: gate) }

    func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler, then: base)
    }

    func onMemoryPressure(_ pressure: MemoryPressureLevel) { base.onMemoryPressure(pressure) }
    var statistics: CacheStatistics { base.statistics }

    private func fresh(
        _ stream: Observable<CacheEntry<Value>, CacheError>
    ) -> Observable<CacheEntry<Value>, CacheError> {
        stream.map { entry throws(CacheError) in
            let entry = dated(entry)
            guard !entry.isExpired(at: now()) else { throw .expired }
            return entry
        }
    }

    /// The entry with its first moment, and with the earlier of its own deadline and ours.
    private func dated(_ entry: CacheEntry<Value>) -> CacheEntry<Value> {
        var entry = entry
        let stored = entry.stored ?? now()
        let deadline = stored + life.seconds
        entry.stored = stored
        entry.expiry = min(entry.expiry ?? deadline, deadline)
        return entry
    }
}

extension Duration {
    /// The duration as Foundation counts it.
    var seconds: TimeInterval { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
