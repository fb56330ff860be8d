// Levels that know less than a whole level: sources that only get, and levels that know values and no lifetimes.

import Weir

/// A source: a level that only gets. `set`, `remove` and `clear` succeed and do nothing, so one-way transformers are enough
/// for it.
public protocol FetcherLevel<Key, Value>: CacheLevel {}

extension FetcherLevel {
    /// Succeeds and does nothing.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func clear() -> Observable<Never, CacheError> { .empty() }
}

extension Fetcher: FetcherLevel {}
extension NetworkFetcher: FetcherLevel {}
extension Pooled: FetcherLevel where Base: FetcherLevel {}

/// A level that knows values only: it gets and sets them, and leaves costs and lifetimes to the levels above.
public protocol ValueLevel<Key, Value>: CacheLevel {
    /// What values are found by.
    associatedtype Key
    /// What is cached.
    associatedtype Value

    /// The value of a key, then the end. A miss is the failure `notFound`.
    func get(_ key: Key) -> Observable<Value, CacheError>

    /// Stores a value; finishes once it is stored.
    func set(_ value: Value, forKey key: Key) -> Observable<Never, CacheError>
}

extension ValueLevel {
    /// The value, with no lifetime.
    public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> { get(key).map { CacheEntry($0) } }

    /// Stores the value; its lifetime is not kept.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        set(entry.value, forKey: key)
    }

    // A level that forgot these would find those of `CacheLevel`, which ask `entry` and `set` again, for ever.

    /// Not here: a level says itself how it gets a value.
    @available(*, unavailable, message: "write get(_:), which answers a key's value")
    public func get(_ key: Key) -> Observable<Value, CacheError> { .empty() }

    /// Not here: a level says itself how it sets a value.
    @available(*, unavailable, message: "write set(_:forKey:), which stores a value under a key")
    public func set(_ value: Value, forKey key: Key) -> Observable<Never, CacheError> { .empty() }
}
