// Levels made of closures: a source that is only asked, and a level that also takes.

import Weir

/// A source: a level that only gets. `set`, `remove` and `clear` succeed and do nothing.
public struct Fetcher<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    private let fetch: @Sendable (Key) async throws -> CacheEntry<Value>
    private let counts = Counts()

    private final class Counts: Sendable {
        let statistics = Lock(CacheStatistics())
    }

    /// A source of values.
    ///
    /// - Parameter fetch: makes the value of a key, or throws why not; a `CacheError` as it is, anything else as
    ///   `underlying`. It runs in a task of its own for each get, which is cancelled when nobody waits any more.
    public init(_ fetch: @escaping @Sendable (Key) async throws -> Value) {
        self.fetch = { CacheEntry(try await fetch($0)) }
    }

    /// A source of values with lifetimes.
    ///
    /// - Parameter fetch: makes the entry of a key, or throws why not.
    public init(entries fetch: @escaping @Sendable (Key) async throws -> CacheEntry<Value>) {
        self.fetch = fetch
    }

    /// Runs the closure.
    public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable { () async throws(CacheError) -> CacheEntry<Value> in
            let start = ContinuousClock.now
            defer { count(since: start) }
            do {
                return try await fetch(key)
            } catch is CancellationError {
                throw .cancelled
            } catch {
                throw CacheError(error)
            }
        }
    }

    /// Succeeds and does nothing.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func clear() -> Observable<Never, CacheError> { .empty() }

    /// Loads, each a miss of whatever stands above.
    public var statistics: CacheStatistics { counts.statistics.withLock { $0 } }

    private func count(since start: ContinuousClock.Instant) {
        let time = ContinuousClock.now - start
        counts.statistics.withLock {
            $0.misses += 1
            $0.loads += 1
            $0.loadTime += time
        }
    }
}

/// A level of your own, from closures. It keeps no lifetimes: an entry that expires is for the levels above.
public struct Level<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    private let get: @Sendable (Key) async throws -> Value?
    private let take: @Sendable (Value, Key) async throws -> Void
    private let drop: @Sendable (Key) async throws -> Void
    private let dropAll: @Sendable () async throws -> Void

    /// A level. What a closure throws fails the call: a `CacheError` as it is, anything else as `underlying`.
    ///
    /// - Parameters:
    ///   - get: the value of a key; nil is a miss.
    ///   - set: stores a value under a key.
    ///   - remove: removes a key.
    ///   - clear: removes everything.
    public init(
        get: @escaping @Sendable (Key) async throws -> Value?,
        set: @escaping @Sendable (Value, Key) async throws -> Void = { _, _ in },
        remove: @escaping @Sendable (Key) async throws -> Void = { _ in },
        clear: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.get = get
        take = set
        drop = remove
        dropAll = clear
    }

    /// Runs the closure.
    public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable { () async throws(CacheError) -> CacheEntry<Value> in
            guard let value = try await translated({ try await get(key) }) else { throw .notFound }
            return CacheEntry(value)
        }
    }

    /// Runs the closure.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        command { try await take(entry.value, key) }
    }

    /// Runs the closure.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { command { try await drop(key) } }

    /// Runs the closure.
    public func clear() -> Observable<Never, CacheError> { command { try await dropAll() } }

    private func command(_ act: @escaping @Sendable () async throws -> Void) -> Observable<Never, CacheError> {
        Observable<Void, CacheError> { () async throws(CacheError) in try await translated(act) }.compactMap { nil }
    }

    private func translated<Answer>(_ act: () async throws -> Answer) async throws(CacheError) -> Answer {
        do {
            return try await act()
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw CacheError(error)
        }
    }
}
