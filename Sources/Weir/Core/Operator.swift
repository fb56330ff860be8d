// How operators of this module make the stream they answer with. A user's own operator says `Observable(attach:)`.

extension Observable {
    /// A source: its stage is the first of a chain.
    @inlinable @inline(__always)
    init(source stage: Stage, _ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription) {
        self.init(depth: 0) { down in stage.attach(down, attach) }
    }

    /// `weight` stages further from the source than `depth`. Every `Segment.length` stages a segment stands between.
    @inlinable @inline(__always)
    init(
        _ stage: Stage, after depth: Int, weight: Int = 1,
        _ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription
    ) {
        self.init(after: depth, weight: weight) { down in stage.attach(down, attach) }
    }

    /// The same without a stage of its own.
    @inlinable @inline(__always)
    package init(
        after depth: Int, weight: Int = 1, _ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription
    ) {
        if depth &+ weight < Segment.length {
            self.init(depth: depth &+ weight, attach)
        } else {
            self.init(depth: 0, Segment.wrap(attach))
        }
    }

    /// For an operator whose closure may fail: `step` takes an element and hands on, or throws, which cancels upstream
    /// and then fails the stream.
    ///
    /// An operator takes this path only where the stream can fail. Where it cannot, it attaches an observer of its own
    /// with the step in it: one closure, where the step as an argument would be a second one, with a call for each
    /// element and an allocation for each subscription.
    @inlinable
    func attachTrying<Output: Sendable>(
        _ down: Observer<Output, Failure>, step: @escaping (Element) throws(Failure) -> Bool
    ) -> Subscription {
        attachTrying(down, failure: { .failed($0) }, step: step)
    }

    /// For an operator whose closure may throw anything, so that its failure is `any Error`.
    @_disfavoredOverload @inlinable
    func attachTrying<Output: Sendable>(
        _ down: Observer<Output, any Error>, step: @escaping (Element) throws -> Bool
    ) -> Subscription {
        attachTrying(down, failure: { .failed($0) }, step: step)
    }

    /// `step` throws the new stream's failure; `failure` makes the end of the new stream from upstream's own failure.
    @inlinable
    func attachTrying<Output: Sendable, NewFailure: Error>(
        _ down: Observer<Output, NewFailure>,
        failure: @escaping (Failure) -> Completion<NewFailure>,
        step: @escaping (Element) throws(NewFailure) -> Bool
    ) -> Subscription {
        let gate = Gate<NewFailure>()
        let up = attach(
            Observer(
                next: { element in
                    if gate.isShut { return false }
                    do throws(NewFailure) { return try step(element) } catch {
                        gate.close { down.done(.failed(error)) }
                        return false
                    }
                },
                done: { completion in
                    gate.pass {
                        switch completion {
                        case .finished: down.done(.finished)
                        case .failed(let error): down.done(failure(error))
                        }
                    }
                }))
        return gate.guarding(up)
    }
}

extension Stage {
    /// Attaches, through the trace hook where it is on. `attach` does not escape: a closure that calls this needs no
    /// second one for it.
    @inlinable @inline(__always)
    func attach<Element: Sendable, Failure: Error>(
        _ down: Observer<Element, Failure>, _ attach: (Observer<Element, Failure>) -> Subscription
    ) -> Subscription {
        Trace.isOn ? Trace.attach(self, down, attach) : attach(down)
    }
}
