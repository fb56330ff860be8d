// switch(by:): several levels side by side, and each key belongs to one of them.

import Foundation
import Weir

/// Which of two levels a key belongs to.
public enum CacheLane: Sendable, Hashable {
    /// The level that `switch` is called on.
    case first
    /// The level that it is given.
    case second
}

extension CacheLevel {
    /// This level and another one side by side: gets and sets go to the lane of their key; `remove`, `clear` and memory
    /// pressure go to both.
    ///
    /// - Parameters:
    ///   - other: the second lane.
    ///   - choose: says which lane a key belongs to; called at each get and set.
    public func `switch`(
        with other: some CacheLevel<Key, Value>, by choose: @escaping @Sendable (Key) -> CacheLane
    ) -> some CacheLevel<Key, Value> {
        Switch(lanes: [.first: AnyLevel(self), .second: AnyLevel(other)], choose: choose)
    }
}

extension Dictionary where Key: Sendable, Value: CacheLevel {
    /// The levels side by side: gets and sets go to the lane of their key; `remove`, `clear` and memory pressure go to all.
    ///
    /// - Parameter choose: names the lane of a key; called at each get and set. Where there is no lane of that name, a get or
    ///   set fails with `noLane`.
    public func `switch`(
        by choose: @escaping @Sendable (Value.Key) -> Key
    ) -> some CacheLevel<Value.Key, Value.Value> {
        Switch(lanes: mapValues { AnyLevel($0) }, choose: choose)
    }
}

struct Switch<Lane: Hashable & Sendable, Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    let lanes: [Lane: AnyLevel<Key, Value>]
    let choose: @Sendable (Key) -> Lane
    private let gate = WorkGate()

    init(lanes: [Lane: AnyLevel<Key, Value>], choose: @escaping @Sendable (Key) -> Lane) {
        self.lanes = lanes
        self.choose = choose
    }

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { lane(of: key) { $0.entry(key) }.gated(by: gate) })
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.deferred { lane(of: key) { $0.reload(key) } }.gated(by: gate)
    }

    func held(_ key: Key) -> CacheEntry<Value>? { gate.isOpen ? lanes[choose(key)]?.held(key) : nil }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        Observable.deferred { lane(of: key) { $0.set(entry, forKey: key) } }.gated(by: gate)
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> {
        .all(lanes.values.map { $0.remove(key) }).gated(by: gate)
    }
    func clear() -> Observable<Never, CacheError> { .all(lanes.values.map { $0.clear() }).gated(by: gate) }

    func onMemoryPressure(_ pressure: MemoryPressureLevel) {
        for lane in lanes.values { lane.onMemoryPressure(pressure) }
    }

    /// All lanes added up.
    var statistics: CacheStatistics { lanes.values.reduce(CacheStatistics()) { $0.beside($1.statistics) } }

    func close(within time: Duration, on scheduler: some Scheduler) async {
        let start = scheduler.now
        await gate.close(within: time, on: scheduler)
        for lane in lanes.values {
            await lane.close(within: time.reachable - start.duration(to: scheduler.now), on: scheduler)
        }
    }

    func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value> {
        AnyLevel(Switch(lanes: lanes.mapValues { $0.expiring(after: life, now: now) }, choose: choose))
    }

    private func lane<Element>(
        of key: Key, _ ask: (AnyLevel<Key, Value>) -> Observable<Element, CacheError>
    ) -> Observable<Element, CacheError> {
        let name = choose(key)
        guard let lane = lanes[name] else { return .fail(.noLane("\(name)", key: "\(key)")) }
        return ask(lane)
    }
}
