// Overloads that are never taken: where a call does not fit a stream, they are what the compiler finds instead, and their
// message says what to do. Each is disfavoured, so that a call that fits never sees them.

extension ObservableConvertible {
    /// A stream that can fail needs a handler for its failure.
    @available(
        *, unavailable,
        message: "this stream can fail: add 'done:', or end the failure before with 'catch' or 'replaceError(with:)'"
    )
    @_disfavoredOverload
    public func subscribe(
        _ next: sending @escaping (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken { subscribe(next, done: { _ in }, file: file, line: line) }

    /// A stream that can fail needs a handler for its failure.
    @available(
        *, unavailable,
        message: "this stream can fail: add 'done:', or end the failure before with 'catch' or 'replaceError(with:)'"
    )
    @_disfavoredOverload
    public func observe(
        _ next: @escaping (Element) -> Void,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken { observe(next, done: { _ in }, isolation: isolation, file: file, line: line) }

    /// A method hears elements alone.
    @available(
        *, unavailable, message: "this stream can fail: end the failure before with 'catch' or 'replaceError(with:)'"
    )
    @_disfavoredOverload @discardableResult
    public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, with method: @escaping UnappliedMethod<Owner, Element>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription { subscribe(owner, { _, _ in }, done: { _, _ in }, file: file, line: line) }

    /// A method hears elements alone.
    @available(
        *, unavailable, message: "this stream can fail: end the failure before with 'catch' or 'replaceError(with:)'"
    )
    @_disfavoredOverload @discardableResult
    public func observe<Owner: AnyObject & Sendable>(
        _ owner: Owner, with method: @escaping UnappliedMethod<Owner, Element>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription { subscribe(owner, { _, _ in }, done: { _, _ in }, file: file, line: line) }

    /// An actor's own method runs only on that actor.
    @available(
        *, unavailable, message: "an actor observes by itself: 'observe(by: actor) { actor, element in … }'"
    )
    @_disfavoredOverload @discardableResult
    public func subscribe<Owner: Actor>(
        _ owner: Owner, with method: @escaping @Sendable (isolated Owner) -> @Sendable (Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription { subscribe(owner, { _, _ in }, done: { _, _ in }, file: file, line: line) }
}

extension ObservableConvertible {
    /// The word here is another one.
    @available(*, unavailable, message: "write 'subscribe { … }', or 'subscribe { … } done: { … }' where it can fail")
    @_disfavoredOverload
    public func sink(receiveValue: sending @escaping (Element) -> Void) -> SubscriptionToken {
        subscribe(receiveValue, done: { _ in })
    }

    /// The word here is another one.
    @available(*, unavailable, message: "write 'subscribe { … } done: { … }': the handler of elements comes first")
    @_disfavoredOverload
    public func sink(
        receiveCompletion: sending @escaping (Completion<Failure>) -> Void,
        receiveValue: sending @escaping (Element) -> Void
    ) -> SubscriptionToken { subscribe(receiveValue, done: receiveCompletion) }
}

extension ObservableConvertible where Failure == Never {
    /// A closure may throw only the failure of its stream.
    @available(
        *, unavailable,
        message:
            "a stream that cannot fail takes no closure that throws: 'setFailureType(to:)' before it says what fails"
    )
    @_disfavoredOverload
    public func map<Output: Sendable, NewFailure: Error>(
        _ transform: @escaping @Sendable (Element) throws(NewFailure) -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, NewFailure> {
        setFailureType(to: NewFailure.self, file: file, line: line).map(transform, file: file, line: line)
    }

    /// A closure may throw only the failure of its stream.
    @available(
        *, unavailable,
        message:
            "a stream that cannot fail takes no closure that throws: 'setFailureType(to:)' before it says what fails"
    )
    @_disfavoredOverload
    public func compactMap<Output: Sendable, NewFailure: Error>(
        _ transform: @escaping @Sendable (Element) throws(NewFailure) -> Output?,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, NewFailure> {
        setFailureType(to: NewFailure.self, file: file, line: line).compactMap(transform, file: file, line: line)
    }

    /// A closure may throw only the failure of its stream.
    @available(
        *, unavailable,
        message:
            "a stream that cannot fail takes no closure that throws: 'setFailureType(to:)' before it says what fails"
    )
    @_disfavoredOverload
    public func filter<NewFailure: Error>(
        _ isIncluded: @escaping @Sendable (Element) throws(NewFailure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, NewFailure> {
        setFailureType(to: NewFailure.self, file: file, line: line).filter(isIncluded, file: file, line: line)
    }

    /// A closure may throw only the failure of its stream.
    @available(
        *, unavailable,
        message:
            "a stream that cannot fail takes no closure that throws: 'setFailureType(to:)' before it says what fails"
    )
    @_disfavoredOverload
    public func scan<Output: Sendable, NewFailure: Error>(
        _ seed: Output, _ accumulate: @escaping @Sendable (Output, Element) throws(NewFailure) -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, NewFailure> {
        setFailureType(to: NewFailure.self, file: file, line: line).scan(seed, accumulate, file: file, line: line)
    }
}
