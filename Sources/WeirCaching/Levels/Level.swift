// A level made of closures: it is asked, and it takes.

import Weir

/// A level of your own, from closures. It keeps no lifetimes: an entry that expires is for the levels above.
public struct Level<Key: Hashable & Sendable, Value: Sendable>: CacheLevel {
    private let get: @Sendable (Key) async throws -> Value?
    private let take: @Sendable (Value, Key) async throws -> Void
    private let drop: @Sendable (Key) async throws -> Void
    private let dropAll: @Sendable () async throws -> Void
    private let gate = WorkGate()

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
        }.gated(by: gate)
    }

    /// Runs the closure.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        command { try await take(entry.value, key) }
    }

    /// Runs the closure.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { command { try await drop(key) } }

    /// Runs the closure.
    public func clear() -> Observable<Never, CacheError> { command { try await dropAll() } }

    /// Closures under way may end; then their tasks are cancelled.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler)
    }

    private func command(_ act: @escaping @Sendable () async throws -> Void) -> Observable<Never, CacheError> {
        Observable<Void, CacheError> { () async throws(CacheError) in try await translated(act) }.compactMap { nil }
            .gated(by: gate)
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
