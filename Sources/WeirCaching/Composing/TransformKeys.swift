// transformKeys: a level that is asked by other keys than it holds.

import Weir

extension CacheLevel {
    /// Asks this level by keys made of others. A transformer that fails is a miss on a get, and fails a `set` or `remove`.
    ///
    /// - Parameter transformer: makes this level's key of the new one; equal keys need equal outputs.
    public func transformKeys<NewKey: Hashable & Sendable>(
        _ transformer: some OneWayTransformer<NewKey, Key>
    ) -> some CacheLevel<NewKey, Value> {
        TransformedKeys(base: self, transformer: OneWay(transformer))
    }

    /// The same with a closure.
    ///
    /// - Parameter transform: makes this level's key of the new one. What it throws fails the call: a `CacheError` as it
    ///   is, anything else as `transform`.
    public func transformKeys<NewKey: Hashable & Sendable>(
        _ transform: @escaping @Sendable (NewKey) throws -> Key
    ) -> some CacheLevel<NewKey, Value> {
        TransformedKeys(base: self, transformer: OneWay(transform))
    }
}

extension FetcherLevel {
    /// Asks this source by keys made of others; what comes is a source, too. A transformer that fails is a miss.
    ///
    /// - Parameter transformer: makes this source's key of the new one.
    public func transformKeys<NewKey: Hashable & Sendable>(
        _ transformer: some OneWayTransformer<NewKey, Key>
    ) -> some FetcherLevel<NewKey, Value> {
        TransformedKeys(base: self, transformer: OneWay(transformer))
    }

    /// The same with a closure.
    ///
    /// - Parameter transform: makes this source's key of the new one. What it throws fails the call: a `CacheError` as it
    ///   is, anything else as `transform`.
    public func transformKeys<NewKey: Hashable & Sendable>(
        _ transform: @escaping @Sendable (NewKey) throws -> Key
    ) -> some FetcherLevel<NewKey, Value> {
        TransformedKeys(base: self, transformer: OneWay(transform))
    }
}

struct TransformedKeys<Key: Hashable & Sendable, Base: CacheLevel>: Wrapper {
    typealias Value = Base.Value
    let base: Base
    let transformer: OneWay<Key, Base.Key>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        transformer.output(of: key).one().flatMap { base.entry($0) }.gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        transformer.output(of: key).one().flatMap { base.reload($0) }.gated(by: gate)
    }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        transformer.output(of: key).one().flatMap { base.set(entry, forKey: $0) }.gated(by: gate)
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> {
        transformer.output(of: key).one().flatMap { base.remove($0) }.gated(by: gate)
    }

    func around<Other: CacheLevel<Base.Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(TransformedKeys<Key, Other>(base: other, transformer: transformer))
    }
}

extension TransformedKeys: FetcherLevel where Base: FetcherLevel {}
