// Transformers that know the way back: what a value becomes on its way out of a level, and again on its way in.

import Weir

/// Makes an output of an input, and an input of an output; may wait, and may fail.
public protocol TwoWayTransformer<Input, Output>: OneWayTransformer {
    /// Makes the input again. What it throws fails the call that needed it: a `CacheError` as it is, anything else as
    /// `transform`.
    func inverse(_ output: Output) async throws -> Input

    /// The input as a stream of one element, then the end. By default a task runs `inverse`.
    func input(of output: Output) -> Observable<Input, CacheError>
}

extension TwoWayTransformer {
    /// A task that runs `inverse`.
    public func input(of output: Output) -> Observable<Input, CacheError> {
        .work { try await inverse(output) }
    }

    /// This transformer, then another one; backwards the other one first.
    ///
    /// - Parameter next: takes what this one makes.
    public func compose<Next: TwoWayTransformer>(_ next: Next) -> TwoWay<Input, Next.Output>
    where Next.Input == Output {
        let forwards: OneWay<Input, Next.Output> = compose(next)
        let backwards: OneWay<Next.Output, Input> = next.inverted.compose(inverted)
        return TwoWay(forwards, inverse: backwards)
    }

    /// The same transformer with the ways exchanged.
    public var inverted: TwoWay<Output, Input> {
        TwoWay(OneWay(stream: { input(of: $0) }), inverse: OneWay(stream: { output(of: $0) }))
    }

    /// The same transformer for some inputs only: forwards the input is tested before it goes in, backwards when it has
    /// come out.
    ///
    /// - Parameter condition: says whether an input is taken; the others fail with `conditionNotSatisfied`. What it throws
    ///   is passed on.
    public func conditioned(_ condition: @escaping @Sendable (Input) throws -> Bool) -> TwoWay<Input, Output> {
        conditioned(Condition(condition))
    }

    /// The same with a condition that waits: it runs in a task of its own.
    @_disfavoredOverload
    public func conditioned(_ condition: @escaping @Sendable (Input) async throws -> Bool) -> TwoWay<Input, Output> {
        conditioned(Condition(condition))
    }

    func conditioned(_ condition: Condition<Input>) -> TwoWay<Input, Output> {
        let forwards: OneWay<Input, Output> = conditioned(condition)
        return TwoWay(
            forwards,
            inverse: OneWay(stream: { output in
                self.input(of: output).one().flatMap { input in condition.checked(input).map { input } }
            }))
    }
}

/// A transformer from two closures.
public struct TwoWay<Input: Sendable, Output: Sendable>: TwoWayTransformer {
    private let forwards: OneWay<Input, Output>
    private let backwards: OneWay<Output, Input>

    /// A transformer from two others.
    ///
    /// - Parameters:
    ///   - transform: makes the output.
    ///   - inverse: makes the input again.
    public init(
        _ transform: some OneWayTransformer<Input, Output>, inverse: some OneWayTransformer<Output, Input>
    ) {
        forwards = OneWay(transform)
        backwards = OneWay(inverse)
    }

    /// A transformer from two closures that do not wait: they run where the stream is subscribed.
    ///
    /// - Parameters:
    ///   - transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as `transform`.
    ///   - inverse: makes the input again, and fails in the same way.
    public init(
        _ transform: @escaping @Sendable (Input) throws -> Output,
        inverse: @escaping @Sendable (Output) throws -> Input
    ) {
        forwards = OneWay(transform)
        backwards = OneWay(inverse)
    }

    /// A transformer from two closures that wait: they run in tasks of their own.
    ///
    /// - Parameters:
    ///   - transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as `transform`.
    ///   - inverse: makes the input again, and fails in the same way.
    @_disfavoredOverload
    public init(
        _ transform: @escaping @Sendable (Input) async throws -> Output,
        inverse: @escaping @Sendable (Output) async throws -> Input
    ) {
        forwards = OneWay(transform)
        backwards = OneWay(inverse)
    }

    /// Runs the first closure.
    public func transform(_ input: Input) async throws -> Output { try await forwards.transform(input) }

    /// Runs the second closure.
    public func inverse(_ output: Output) async throws -> Input { try await backwards.transform(output) }

    /// Runs the first closure.
    public func output(of input: Input) -> Observable<Output, CacheError> { forwards.output(of: input) }

    /// Runs the second closure.
    public func input(of output: Output) -> Observable<Input, CacheError> { backwards.output(of: output) }
}
