// What all levels around one other level have in common: pressure, counts, lifetimes and the close go to the level inside.

import Foundation
import Weir

/// A level around another one.
protocol Wrapper: CacheLevel {
    associatedtype Base: CacheLevel
    var base: Base { get }
    var gate: WorkGate { get }
    /// The same around another level in the same place.
    func around<Other: CacheLevel<Base.Key, Base.Value>>(_ other: Other) -> AnyLevel<Key, Value>
}

extension Wrapper {
    func clear() -> Observable<Never, CacheError> { base.clear().gated(by: gate) }
    func onMemoryPressure(_ pressure: MemoryPressureLevel) { base.onMemoryPressure(pressure) }
    var statistics: CacheStatistics { base.statistics }

    func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler, then: base)
    }

    func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value> {
        around(base.expiring(after: life, now: now))
    }
}

extension Wrapper where Key == Base.Key {
    func remove(_ key: Key) -> Observable<Never, CacheError> { base.remove(key).gated(by: gate) }
}

extension Wrapper where Key == Base.Key, Value == Base.Value {
    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        base.set(entry, forKey: key).gated(by: gate)
    }
}
