// A source made of a closure: it is only asked.

import Weir

/// A source: a level that only gets. `set`, `remove` and `clear` succeed and do nothing.
public struct Fetcher<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    private let fetch: @Sendable (Key) async throws -> CacheEntry<Value>
    private let counts = Counts()
    private let gate = WorkGate()

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
        }.gated(by: gate)
    }

    /// Loads under way may end; then their tasks are cancelled.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler)
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
