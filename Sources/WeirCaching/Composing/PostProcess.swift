// postProcess, conditionedPostProcess, conditioned: what happens to a get only. What is stored, removed and cleared goes
// through untouched.

import Weir

extension CacheLevel {
    /// Passes each value through a transformer on its way out; what is stored stays as it is. A transformer that fails makes
    /// the level a miss.
    ///
    /// - Parameter transformer: makes the value that is answered.
    public func postProcess(_ transformer: some OneWayTransformer<Value, Value>) -> some CacheLevel<Key, Value> {
        PostProcessed(base: self, transformer: KeyedOneWay(transformer))
    }

    /// The same with a closure.
    ///
    /// - Parameter transform: makes the value that is answered. What it throws makes the level a miss: a `CacheError` as it
    ///   is, anything else as `transform`.
    public func postProcess(_ transform: @escaping @Sendable (Value) throws -> Value) -> some CacheLevel<Key, Value> {
        PostProcessed(base: self, transformer: KeyedOneWay(OneWay(transform)))
    }

    /// The same with a transformer that sees the key.
    ///
    /// - Parameter transformer: makes the value that is answered.
    public func conditionedPostProcess(
        _ transformer: KeyedOneWay<Key, Value, Value>
    ) -> some CacheLevel<Key, Value> {
        PostProcessed(base: self, transformer: transformer)
    }

    /// Asks this level only where a condition holds: a kill switch, a flag, a connection. Else a get fails with
    /// `conditionNotSatisfied`, which makes it the next level's turn. `set`, `remove` and `clear` go through.
    ///
    /// - Parameter condition: asked at each get; what it throws fails the get, as itself where it is a `CacheError`.
    public func conditioned(
        _ condition: @escaping @Sendable (Key) throws -> Bool
    ) -> some CacheLevel<Key, Value> {
        Conditioned(base: self, condition: Condition(condition))
    }

    /// The same with a condition that waits: it runs in a task of its own.
    ///
    /// - Parameter condition: asked at each get; what it throws fails the get, as itself where it is a `CacheError`.
    @_disfavoredOverload
    public func conditioned(
        _ condition: @escaping @Sendable (Key) async throws -> Bool
    ) -> some CacheLevel<Key, Value> {
        Conditioned(base: self, condition: Condition(condition))
    }
}

struct PostProcessed<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let transformer: KeyedOneWay<Key, Value, Value>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.entry(key).transformed(by: transformer, for: key).gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.reload(key).transformed(by: transformer, for: key).gated(by: gate)
    }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(PostProcessed<Other>(base: other, transformer: transformer))
    }
}

struct Conditioned<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let condition: Condition<Key>
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        condition.checked(key).flatMap { base.entry(key) }.gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        condition.checked(key).flatMap { base.reload(key) }.gated(by: gate)
    }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(Conditioned<Other>(base: other, condition: condition))
    }
}
