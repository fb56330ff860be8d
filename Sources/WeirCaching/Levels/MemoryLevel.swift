// The level in memory: bounded by cost, evicting by S3-FIFO, so that one long scan does not push out what is used often.

import Foundation
import Weir

/// A level in memory, bounded by cost, safe from any thread.
///
/// A reference: copies share what is held. Look-ups and inserts take constant time, amortised over evictions.
public struct MemoryLevel<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    @usableFromInline let store: MemoryStore<Key, Value>
    @usableFromInline let cost: @Sendable (Value) -> Int
    @usableFromInline let now: @Sendable () -> Date
    @usableFromInline let gate = WorkGate()

    /// A level with a cost function.
    ///
    /// - Parameters:
    ///   - limit: the most that all entries may cost together. Zero or less keeps nothing: every `set` fails with
    ///     `tooLarge`. More than `Int.max / 2` counts as that.
    ///   - cost: what a value costs, in the unit of the limit; less than one counts as one. An entry's own cost wins.
    ///   - now: the wall clock that entries expire by.
    ///   - onRemoval: told of each entry that leaves, once, with the true cause; called outside all locks.
    @inlinable public init(
        limit: Int, cost: @escaping @Sendable (Value) -> Int, now: @escaping @Sendable () -> Date = { Date() },
        onRemoval: (@Sendable (Key, CacheEntry<Value>, RemovalCause) -> Void)? = nil
    ) {
        store = MemoryStore(limit: limit, now: now, listener: onRemoval)
        self.cost = cost
        self.now = now
    }

    /// What is held under a key, at once. A hit counts for the entry's survival; a miss is not counted, since `entry`
    /// will be asked then.
    @inlinable public func held(_ key: Key) -> CacheEntry<Value>? { gate.isOpen ? store.peek(key) : nil }

    /// Stores an entry, at once.
    ///
    /// - Throws: `tooLarge` where its cost is over the limit, `keyUnequalToItself` for a key such as NaN, `closed` after
    ///   `close`; what was there stays.
    @inlinable public func insert(_ entry: CacheEntry<Value>, forKey key: Key) throws(CacheError) {
        try expectOpen()
        guard key == key else { throw .keyUnequalToItself("\(key)") }
        var entry = entry
        let cost = max(1, entry.cost ?? cost(entry.value))
        if entry.stored == nil { entry.stored = now() }
        guard store.insert(entry, cost: cost, forKey: key) else {
            throw .tooLarge(size: cost, limit: store.limit)
        }
    }

    /// The most that all entries may cost together. It may change at any time and holds at once: a lower one evicts.
    public var limit: Int {
        get { store.limit }
        nonmutating set { store.limit = newValue }
    }

    /// What the entries cost together.
    public var used: Int { store.used }

    /// How many entries are held.
    public var count: Int { store.count }

    /// The entry, at once; a miss is `notFound` or `expired`.
    @inlinable public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        let (store, gate) = (store, gate)
        return Observable<Key, CacheError>.just(key).map { key throws(CacheError) in
            guard gate.isOpen else { throw .closed }
            switch store.find(key) {
            case .hit(let entry): return entry
            case .absent: throw .notFound
            case .expired: throw .expired
            }
        }
    }

    /// The value, without a stream and without waiting.
    @inlinable nonisolated(nonsending) public func value(forKey key: Key) async throws(CacheError) -> Value {
        try expectOpen()
        switch store.find(key) {
        case .hit(let entry): return entry.value
        case .absent: throw .notFound
        case .expired: throw .expired
        }
    }

    /// Stores an entry; `tooLarge` where its cost is over the limit, `keyUnequalToItself` for a key such as NaN, and what
    /// was there stays.
    @inlinable public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        .command { () throws(CacheError) in try insert(entry, forKey: key) }
    }

    /// Removes a key.
    @inlinable public func remove(_ key: Key) -> Observable<Never, CacheError> {
        .command { () throws(CacheError) in
            try expectOpen()
            store.remove(key)
        }
    }

    /// Removes everything, and forgets what was learned about keys.
    @inlinable public func clear() -> Observable<Never, CacheError> {
        .command { () throws(CacheError) in
            try expectOpen()
            store.clear(.cleared)
        }
    }

    /// Nothing is ever under way here. What is held goes with the level, or before by `clear`.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler)
    }

    @inlinable func expectOpen() throws(CacheError) { if !gate.isOpen { throw .closed } }

    /// Lets go of everything.
    public func onMemoryPressure(_ pressure: MemoryPressureLevel) { store.clear(.pressure) }

    /// Hits, misses and removals.
    public var statistics: CacheStatistics { store.statistics }
}

extension MemoryLevel where Value: Costed {
    /// A level that counts what values say they cost: bytes for data and strings.
    ///
    /// - Parameters:
    ///   - limit: the most that all entries may cost together. Zero or less keeps nothing: every `set` fails with
    ///     `tooLarge`. More than `Int.max / 2` counts as that.
    ///   - now: the wall clock that entries expire by.
    ///   - onRemoval: told of each entry that leaves, once, with the true cause; called outside all locks.
    @inlinable public init(
        limit: Int, now: @escaping @Sendable () -> Date = { Date() },
        onRemoval: (@Sendable (Key, CacheEntry<Value>, RemovalCause) -> Void)? = nil
    ) {
        self.init(limit: limit, cost: { $0.cacheCost }, now: now, onRemoval: onRemoval)
    }
}

extension MemoryLevel: CustomStringConvertible {
    /// As in `MemoryLevel(3 entries, 1200 of 50000)`.
    public var description: String { "MemoryLevel(\(count) entries, \(used) of \(store.limit))" }
}
