// Transformers that see the key beside the value: for values whose form depends on what they are found by.

import Weir

/// A transformer of values that sees the key, from a closure or from a plain transformer.
public struct KeyedOneWay<Key: Sendable, Input: Sendable, Output: Sendable>: Sendable {
    let pair: OneWay<(Key, Input), Output>

    init(pair: OneWay<(Key, Input), Output>) { self.pair = pair }

    /// A transformer from a closure that does not wait.
    ///
    /// - Parameter transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as
    ///   `transform`.
    public init(_ transform: @escaping @Sendable (Key, Input) throws -> Output) {
        pair = OneWay { pair in try transform(pair.0, pair.1) }
    }

    /// A transformer from a closure that waits: it runs in a task of its own.
    ///
    /// - Parameter transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as
    ///   `transform`.
    @_disfavoredOverload
    public init(_ transform: @escaping @Sendable (Key, Input) async throws -> Output) {
        pair = OneWay { pair in try await transform(pair.0, pair.1) }
    }

    /// A plain transformer, whatever the key.
    public init(_ transformer: some OneWayTransformer<Input, Output>) {
        pair = OneWay(stream: { transformer.output(of: $0.1) })
    }

    /// The same transformer for some keys only.
    ///
    /// - Parameter condition: says whether a key's values are taken; the others fail with `conditionNotSatisfied`. What it
    ///   throws is passed on.
    public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Self {
        Self(pair: pair.conditioned { try condition($0.0) })
    }

    /// The same with a condition that waits: it runs in a task of its own.
    @_disfavoredOverload
    public func conditioned(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Self {
        Self(pair: pair.conditioned { try await condition($0.0) })
    }

    /// The output of a value of a key.
    public func transform(_ input: Input, forKey key: Key) async throws -> Output {
        try await pair.transform((key, input))
    }

    func output(of input: Input, for key: Key) -> Observable<Output, CacheError> { pair.output(of: (key, input)).one() }
}

/// A transformer of values that sees the key and knows the way back.
public struct KeyedTwoWay<Key: Sendable, Input: Sendable, Output: Sendable>: Sendable {
    let forwards: KeyedOneWay<Key, Input, Output>
    let backwards: KeyedOneWay<Key, Output, Input>

    /// A transformer from two others.
    ///
    /// - Parameters:
    ///   - transform: makes the output.
    ///   - inverse: makes the input again.
    public init(_ transform: KeyedOneWay<Key, Input, Output>, inverse: KeyedOneWay<Key, Output, Input>) {
        forwards = transform
        backwards = inverse
    }

    /// A transformer from two closures that do not wait.
    ///
    /// - Parameters:
    ///   - transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as `transform`.
    ///   - inverse: makes the input again, and fails in the same way.
    public init(
        _ transform: @escaping @Sendable (Key, Input) throws -> Output,
        inverse: @escaping @Sendable (Key, Output) throws -> Input
    ) {
        self.init(KeyedOneWay(transform), inverse: KeyedOneWay(inverse))
    }

    /// A transformer from two closures that wait: they run in tasks of their own.
    ///
    /// - Parameters:
    ///   - transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as `transform`.
    ///   - inverse: makes the input again, and fails in the same way.
    @_disfavoredOverload
    public init(
        _ transform: @escaping @Sendable (Key, Input) async throws -> Output,
        inverse: @escaping @Sendable (Key, Output) async throws -> Input
    ) {
        self.init(KeyedOneWay(transform), inverse: KeyedOneWay(inverse))
    }

    /// A plain transformer, whatever the key.
    public init(_ transformer: some TwoWayTransformer<Input, Output>) {
        self.init(KeyedOneWay(transformer), inverse: KeyedOneWay(transformer.inverted))
    }

    /// The same transformer with the ways exchanged.
    public var inverted: KeyedTwoWay<Key, Output, Input> {
        KeyedTwoWay<Key, Output, Input>(backwards, inverse: forwards)
    }

    /// The same transformer for some keys only, in both directions.
    ///
    /// - Parameter condition: says whether a key's values are taken; the others fail with `conditionNotSatisfied`. What it
    ///   throws is passed on.
    public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Self {
        Self(forwards.conditioned(condition), inverse: backwards.conditioned(condition))
    }

    /// The same with a condition that waits: it runs in a task of its own.
    @_disfavoredOverload
    public func conditioned(_ condition: @escaping @Sendable (Key) async throws -> Bool) -> Self {
        Self(forwards.conditioned(condition), inverse: backwards.conditioned(condition))
    }

    /// The output of a value of a key.
    public func transform(_ input: Input, forKey key: Key) async throws -> Output {
        try await forwards.transform(input, forKey: key)
    }

    /// The input again of an output of a key.
    public func inverse(_ output: Output, forKey key: Key) async throws -> Input {
        try await backwards.transform(output, forKey: key)
    }
}
