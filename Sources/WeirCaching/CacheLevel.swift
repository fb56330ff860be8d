// A level of a cache: something that answers keys with entries, and takes, removes and clears them. Levels compose, and a
// composed cache is a level itself. An answer is a stream of one entry, or an async call; both are the same thing.

import Foundation

/// A level of a cache, or a cache made of levels.
///
/// Every stream is cold: it acts at each subscription. The async forms act at once.
public protocol CacheLevel<Key, Value>: Sendable {
    /// What values are found by.
    associatedtype Key: Hashable & Sendable
    /// What is cached.
    associatedtype Value: Sendable

    /// The entry of a key, then the end. A miss is the failure `notFound` or `expired`; a stream that finishes without an
    /// entry counts as `notFound`. Cancel stops what was begun for it where that is possible.
    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError>

    /// The entry of a key, loaded anew: a cache made of levels asks the lowest one, whatever those above hold, and writes
    /// what comes to all of them, unless a `set`, `remove` or `clear` has begun since. By default the same as `entry`.
    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError>

    /// What the level has at hand: an entry that it can answer with at once, without waiting and without starting
    /// anything. `nil` says nothing: ask `entry`. It is what makes a hit as cheap in a composed cache as in its first
    /// level. By default `nil`.
    func held(_ key: Key) -> CacheEntry<Value>?

    /// Stores an entry; finishes once it is stored.
    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError>

    /// Removes a key; finishes once it is gone. An absent key is none the worse.
    func remove(_ key: Key) -> Observable<Never, CacheError>

    /// Removes everything; finishes once it is gone.
    func clear() -> Observable<Never, CacheError>

    /// The system is short of memory: a level that holds some lets go. By default nothing happens.
    func onMemoryPressure(_ pressure: MemoryPressureLevel)

    /// What the level did since it was made. By default nothing is counted.
    var statistics: CacheStatistics { get }

    /// The same cache with a limit to the age of what it answers. It is a requirement so that a cache made of levels
    /// hands the lifetime down to them: each then stores the deadline. By default a wrapper watches it.
    ///
    /// - Parameters:
    ///   - life: from the moment an entry was first stored. Zero or less is over at once; over 136 years counts as that.
    ///   - now: the wall clock.
    func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value>

    /// Takes no new work, lets what is under way end, and cuts that when the time is over: what is refused or cut fails
    /// with `closed`. The levels below are closed after this one, in what is left of the time, so that what is under way
    /// can end. By default nothing happens, for a level that has nothing under way.
    ///
    /// - Parameters:
    ///   - time: how long what is under way may take; zero or less cuts it now. Cancelling the task cuts at once.
    ///   - scheduler: where the time is measured.
    func close(within time: Duration, on scheduler: some Scheduler) async

    /// The same level with its type forgotten; a level whose type is forgotten already answers itself.
    func normalized() -> AnyLevel<Key, Value>
}

/// How short of memory the system is.
public enum MemoryPressureLevel: Sendable, CaseIterable {
    /// Memory becomes scarce.
    case warning
    /// The process may be ended soon.
    case critical
}

extension CacheLevel {
    /// The entry.
    public func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { entry(key) }

    /// Nothing is at hand.
    public func held(_ key: Key) -> CacheEntry<Value>? { nil }

    /// Nothing happens.
    public func onMemoryPressure(_ pressure: MemoryPressureLevel) {}

    /// Nothing is counted.
    public var statistics: CacheStatistics { CacheStatistics() }

    /// A wrapper that watches the age.
    public func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value> {
        AnyLevel(Expiring(base: self, life: life, now: now))
    }

    /// The same cache with a limit to the age of what it answers, by the system's clock: an older entry is a miss.
    ///
    /// - Parameter life: from the moment an entry was first stored; the deadline travels with it through all levels.
    public func expiring(after life: Duration) -> AnyLevel<Key, Value> {
        expiring(after: life, now: { Date() })
    }

    /// Nothing happens.
    public func close(within time: Duration, on scheduler: some Scheduler) async {}

    /// Takes no new work, lets what is under way end, and cuts that when the time is over; then the levels below are
    /// closed. What is refused or cut fails with `closed`.
    ///
    /// - Parameter time: how long what is under way may take; zero or less cuts it now. Cancelling the task cuts at once.
    public func close(within time: Duration) async { await close(within: time, on: .continuous) }

    /// The same level with its type forgotten.
    public func normalized() -> AnyLevel<Key, Value> { AnyLevel(self) }

    /// The value of a key, then the end; fails as `entry` does.
    @inlinable public func get(_ key: Key) -> Observable<Value, CacheError> {
        entry(key).map { $0.value }
    }

    /// Stores a value with no lifetime of its own; finishes once it is stored.
    @inlinable public func set(_ value: Value, forKey key: Key) -> Observable<Never, CacheError> {
        set(CacheEntry(value), forKey: key)
    }
}

// MARK: the async forms

extension CacheLevel {
    /// The value of a key. Cancelling the task cancels what was begun for it.
    ///
    /// - Throws: why there is none; `cancelled` where the task was.
    @inlinable nonisolated(nonsending) public func value(forKey key: Key) async throws(CacheError) -> Value {
        if let entry = held(key) { return entry.value }
        return try await asked(key).value
    }

    /// The entry of a key: the value and its lifetime.
    ///
    /// - Throws: why there is none; `cancelled` where the task was.
    @inlinable nonisolated(nonsending) public func entry(forKey key: Key) async throws(CacheError) -> CacheEntry<Value>
    {
        if let entry = held(key) { return entry }
        return try await asked(key)
    }

    @inlinable nonisolated(nonsending) func asked(_ key: Key) async throws(CacheError) -> CacheEntry<Value> {
        if let entry = try await entry(key).first { return entry }
        throw Task.isCancelled ? .cancelled : .notFound
    }

    /// The value of a key, loaded anew by the lowest level and written to all above.
    ///
    /// - Throws: why there is none; `cancelled` where the task was. What was held stays then.
    nonisolated(nonsending) public func reloaded(_ key: Key) async throws(CacheError) -> Value {
        if let entry = try await reload(key).first { return entry.value }
        throw Task.isCancelled ? .cancelled : .notFound
    }

    /// Stores a value with no lifetime of its own, at once.
    @inlinable nonisolated(nonsending) public func set(_ value: Value, forKey key: Key) async throws(CacheError) {
        try await set(CacheEntry(value), forKey: key)
    }

    /// Stores an entry, at once.
    @inlinable nonisolated(nonsending) public func set(_ entry: CacheEntry<Value>, forKey key: Key)
        async throws(CacheError)
    {
        let command: Observable<Never, CacheError> = set(entry, forKey: key)
        try await Self.run(command)
    }

    /// Removes a key, at once. An absent key is none the worse.
    @inlinable nonisolated(nonsending) public func remove(_ key: Key) async throws(CacheError) {
        let command: Observable<Never, CacheError> = remove(key)
        try await Self.run(command)
    }

    /// Removes everything, at once.
    @inlinable nonisolated(nonsending) public func clear() async throws(CacheError) {
        let command: Observable<Never, CacheError> = clear()
        try await Self.run(command)
    }

    @inlinable nonisolated(nonsending) static func run(_ command: Observable<Never, CacheError>)
        async throws(CacheError)
    {
        _ = try await command.first
        if Task.isCancelled { throw .cancelled }
    }
}

/// A level whose type is forgotten: to store it in a property, or to pass it on.
public struct AnyLevel<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    @usableFromInline let base: any CacheLevel<Key, Value>

    /// The same level; one whose type is forgotten already is not wrapped again.
    @inlinable public init(_ level: some CacheLevel<Key, Value>) { base = (level as? Self)?.base ?? level }

    /// As the level does.
    @inlinable public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { base.entry(key) }

    /// As the level does.
    public func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { base.reload(key) }

    /// As the level does.
    @inlinable public func held(_ key: Key) -> CacheEntry<Value>? { base.held(key) }

    /// As the level does.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        base.set(entry, forKey: key)
    }

    /// As the level does.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { base.remove(key) }

    /// As the level does.
    public func clear() -> Observable<Never, CacheError> { base.clear() }

    /// As the level does.
    public func onMemoryPressure(_ pressure: MemoryPressureLevel) { base.onMemoryPressure(pressure) }

    /// As the level counts.
    public var statistics: CacheStatistics { base.statistics }

    /// As the level does.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await base.close(within: time, on: scheduler)
    }

    /// As the level does.
    public func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel {
        base.expiring(after: life, now: now)
    }
}
