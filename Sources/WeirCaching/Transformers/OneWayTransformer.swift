// Transformers from one type to another: what keys and values pass on their way into and out of a level. They may wait and
// may fail; a transformer that fails on a get makes the level a miss.

import Weir

/// Makes an output of an input; may wait, and may fail.
public protocol OneWayTransformer<Input, Output>: Sendable {
    /// What comes in.
    associatedtype Input: Sendable
    /// What goes out.
    associatedtype Output: Sendable

    /// Makes the output. What it throws fails the call that needed it: a `CacheError` as it is, anything else as `transform`.
    func transform(_ input: Input) async throws -> Output

    /// The output as a stream of one element, then the end. By default a task runs `transform`; a transformer that never
    /// waits may answer at once here, and then nothing hops to another thread.
    func output(of input: Input) -> Observable<Output, CacheError>
}

extension OneWayTransformer {
    /// A task that runs `transform`.
    public func output(of input: Input) -> Observable<Output, CacheError> {
        .work { try await transform(input) }
    }

    /// This transformer, then another one.
    ///
    /// - Parameter next: takes what this one makes.
    public func compose<Next: OneWayTransformer>(_ next: Next) -> OneWay<Input, Next.Output>
    where Next.Input == Output {
        OneWay(stream: { input in output(of: input).one().flatMap { next.output(of: $0).one() } })
    }

    /// The same transformer for some inputs only.
    ///
    /// - Parameter condition: says whether an input is taken; the others fail with `conditionNotSatisfied`. What it throws
    ///   is passed on.
    public func conditioned(_ condition: @escaping @Sendable (Input) throws -> Bool) -> OneWay<Input, Output> {
        conditioned(Condition(condition))
    }

    /// The same with a condition that waits: it runs in a task of its own.
    @_disfavoredOverload
    public func conditioned(_ condition: @escaping @Sendable (Input) async throws -> Bool) -> OneWay<Input, Output> {
        conditioned(Condition(condition))
    }

    func conditioned(_ condition: Condition<Input>) -> OneWay<Input, Output> {
        OneWay(stream: { input in condition.checked(input).flatMap { output(of: input) } })
    }
}

/// A transformer from a closure.
public struct OneWay<Input: Sendable, Output: Sendable>: OneWayTransformer {
    let stream: @Sendable (Input) -> Observable<Output, CacheError>

    init(stream: @escaping @Sendable (Input) -> Observable<Output, CacheError>) { self.stream = stream }

    /// A transformer from a closure that does not wait: it runs where the stream is subscribed.
    ///
    /// - Parameter transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as
    ///   `transform`.
    public init(_ transform: @escaping @Sendable (Input) throws -> Output) {
        stream = { input in .work(input, transform) }
    }

    /// A transformer from a closure that waits: it runs in a task of its own, which is cancelled when nobody needs it.
    ///
    /// - Parameter transform: makes the output. What it throws fails the call: a `CacheError` as it is, anything else as
    ///   `transform`.
    @_disfavoredOverload
    public init(_ transform: @escaping @Sendable (Input) async throws -> Output) {
        stream = { input in .work { try await transform(input) } }
    }

    /// A transformer of any type as this one.
    public init(_ transformer: some OneWayTransformer<Input, Output>) {
        stream = { transformer.output(of: $0) }
    }

    /// Runs the closure.
    public func transform(_ input: Input) async throws -> Output { try await stream(input).awaited }

    /// Runs the closure.
    public func output(of input: Input) -> Observable<Output, CacheError> { stream(input) }
}

// MARK: the engine

/// What a closure of somebody's says about an input, yes or no, with waiting or without.
struct Condition<Input: Sendable>: Sendable {
    private let ask: @Sendable (Input) -> Observable<Bool, CacheError>

    init(_ condition: @escaping @Sendable (Input) throws -> Bool) {
        ask = { input in .work(input, condition, failure: CacheError.init) }
    }

    @_disfavoredOverload
    init(_ condition: @escaping @Sendable (Input) async throws -> Bool) {
        ask = { input in .work(failure: CacheError.init) { try await condition(input) } }
    }

    /// One element where the condition holds, else the failure `conditionNotSatisfied`.
    func checked(_ input: Input) -> Observable<Void, CacheError> {
        ask(input).map { isSatisfied throws(CacheError) in
            guard isSatisfied else { throw .conditionNotSatisfied }
        }
    }
}

/// A transformer made of streams ended without an element.
struct NoOutput: Error, CustomStringConvertible {
    var description: String { "the transformer ended without an output" }
}

extension CacheError {
    /// What a transformer threw.
    static func transforming(_ error: any Error) -> CacheError { error as? CacheError ?? .transform(error) }
}

extension Observable where Failure == CacheError {
    /// Runs a closure of somebody's at each subscription, where that is.
    static func work<Input: Sendable>(
        _ input: Input, _ run: @escaping @Sendable (Input) throws -> Element,
        failure: @escaping @Sendable (any Error) -> CacheError = CacheError.transforming
    ) -> Self {
        Observable<Input, CacheError>.just(input).map { input throws(CacheError) in
            do { return try run(input) } catch { throw error is CancellationError ? .cancelled : failure(error) }
        }
    }

    /// Runs a closure of somebody's at each subscription, in a task.
    static func work(
        failure: @escaping @Sendable (any Error) -> CacheError = CacheError.transforming,
        _ run: @escaping @Sendable () async throws -> Element
    ) -> Self {
        Observable { () async throws(CacheError) -> Element in
            do { return try await run() } catch { throw error is CancellationError ? .cancelled : failure(error) }
        }
    }

    /// The first element; a failure where there is none.
    func one() -> Self { concat(.fail(.transform(NoOutput()))).prefix(1) }

    /// The first element, awaited.
    var awaited: Element {
        get async throws(CacheError) {
            if let element = try await first { return element }
            throw Task.isCancelled ? .cancelled : .transform(NoOutput())
        }
    }
}
