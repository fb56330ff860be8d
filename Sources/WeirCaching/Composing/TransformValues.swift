// transformValues, conditionedValueTransformation: a level that answers and takes other values than it holds.

import Weir

extension CacheLevel {
    /// Answers values made of what this level holds, and stores what is made of the values it is given. The lifetime
    /// stays; the cost is counted anew. A transformer that fails on a get is a miss; on a `set` it fails that.
    ///
    /// - Parameter transformer: makes the new value of this level's, and this level's of the new one.
    public func transformValues<NewValue: Sendable>(
        _ transformer: some TwoWayTransformer<Value, NewValue>
    ) -> some CacheLevel<Key, NewValue> {
        TransformedValues(base: self, transformer: KeyedTwoWay(transformer))
    }

    /// The same with a transformer that sees the key in both directions.
    ///
    /// - Parameter transformer: makes the new value of this level's, and this level's of the new one.
    public func conditionedValueTransformation<NewValue: Sendable>(
        _ transformer: KeyedTwoWay<Key, Value, NewValue>
    ) -> some CacheLevel<Key, NewValue> {
        TransformedValues(base: self, transformer: transformer)
    }
}

extension FetcherLevel {
    /// Answers values made of what this source brings. A transformer that fails is a miss.
    ///
    /// - Parameter transformer: makes the new value.
    public func transformValues<NewValue: Sendable>(
        _ transformer: some OneWayTransformer<Value, NewValue>
    ) -> some FetcherLevel<Key, NewValue> {
        FetchedValues(base: self, transformer: KeyedOneWay(transformer))
    }

    /// The same; the way back is not needed, since a source is never given anything.
    ///
    /// - Parameter transformer: makes the new value.
    public func transformValues<NewValue: Sendable>(
        _ transformer: some TwoWayTransformer<Value, NewValue>
    ) -> some FetcherLevel<Key, NewValue> {
        FetchedValues(base: self, transformer: KeyedOneWay(transformer))
    }

    /// The same with a closure.
    ///
    /// - Parameter transform: makes the new value. What it throws is a miss: a `CacheError` as it is, anything else as
    ///   `transform`.
    public func transformValues<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> some FetcherLevel<Key, NewValue> {
        FetchedValues(base: self, transformer: KeyedOneWay(OneWay(transform)))
    }

    /// The same with a transformer that sees the key.
    ///
    /// - Parameter transformer: makes the new value.
    public func conditionedValueTransformation<NewValue: Sendable>(
        _ transformer: KeyedOneWay<Key, Value, NewValue>
    ) -> some FetcherLevel<Key, NewValue> {
        FetchedValues(base: self, transformer: transformer)
    }
}

struct TransformedValues<Value: Sendable, Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    let base: Base
    let transformer: KeyedTwoWay<Key, Base.Value, Value>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.entry(key).transformed(by: transformer.forwards, for: key).gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.reload(key).transformed(by: transformer.forwards, for: key).gated(by: gate)
    }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        transformer.backwards.output(of: entry.value, for: key)
            .flatMap { value in base.set(entry.map { _ in value }, forKey: key) }
            .gated(by: gate)
    }

    func around<Other: CacheLevel<Key, Base.Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(TransformedValues<Value, Other>(base: other, transformer: transformer))
    }
}

struct FetchedValues<Value: Sendable, Base: CacheLevel>: Wrapper, FetcherLevel {
    typealias Key = Base.Key
    let base: Base
    let transformer: KeyedOneWay<Key, Base.Value, Value>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.entry(key).transformed(by: transformer, for: key).gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.reload(key).transformed(by: transformer, for: key).gated(by: gate)
    }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        Observable<Never, CacheError>.empty().gated(by: gate)
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> { base.remove(key).gated(by: gate) }
    func clear() -> Observable<Never, CacheError> { base.clear().gated(by: gate) }

    func around<Other: CacheLevel<Key, Base.Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(FetchedValues<Value, Other>(base: other, transformer: transformer))
    }
}

extension Observable where Failure == CacheError {
    /// The entry with its value transformed and its lifetime kept.
    func transformed<Key, Old, New>(
        by transformer: KeyedOneWay<Key, Old, New>, for key: Key
    ) -> Observable<CacheEntry<New>, CacheError> where Element == CacheEntry<Old> {
        flatMap { entry in
            transformer.output(of: entry.value, for: key).map { value in entry.map { _ in value } }
        }
    }
}
