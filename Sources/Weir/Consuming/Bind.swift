// bind: writes a stream into a property, for as long as the property's object lives.
//
//     --1--2--3--|
//     bind(to: $count)
//     count = 1, 2, 3       and stays 3

extension ObservableConvertible where Failure == Never {
    /// Sets an `@Observed` property to each element, as in `answers.bind(to: $photos)`.
    ///
    /// Nothing is to be kept: the subscription lives as long as the object with the property, and with that object
    /// upstream is cancelled at once. Called on an actor, as in a main-actor class, the property is set on that actor, in
    /// order; elsewhere wherever the stream emits. It asks for everything, and at the end the property keeps its value.
    ///
    /// - Parameters:
    ///   - property: held weakly.
    ///   - isolation: the caller's actor; leave it out.
    /// - Returns: what stops it earlier. Letting go of it stops nothing.
    @discardableResult @inlinable
    public func bind(
        to property: Observed<Element>.Projection,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        guard let store = property.store else { return OwnerSubscription(.over()) }
        let stage = Stage("bind", Observed<Element>.self, Element.self, file, line)
        guard let isolation else {
            return OwnerSink.directly(observable, store, stage) { $0.value = $1 }
        }
        return OwnerSink.on(isolation, observable, store, stage) { $0.value = $1 }
    }

    /// Sets a property of an object to each element, on the caller's actor and in order, as in
    /// `answers.bind(to: self, \.photos)`.
    ///
    /// Nothing is to be kept: the object is held weakly, and may be a class of the actor that is not `Sendable`. From its
    /// death on nothing is set; upstream is let go with the next element, or at once where the object is a
    /// `SubscriptionOwner`. It asks for everything. Where the caller has no actor it does not compile: there it reads
    /// `subscribe(owner) { $0.photos = $1 }`, which asks for an object that is `Sendable`.
    ///
    /// - Parameters:
    ///   - owner: the object.
    ///   - keyPath: the property.
    ///   - isolation: the caller's actor; leave it out.
    /// - Returns: what stops it earlier. Letting go of it stops nothing.
    @discardableResult @inlinable
    public func bind<Owner: AnyObject>(
        to owner: Owner, _ keyPath: ReferenceWritableKeyPath<Owner, Element>,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let stage = Stage("bind", Owner.self, Element.self, file, line)
        return OwnerSink.on(isolation, observable, owner, stage) { $0[keyPath: keyPath] = $1 }
    }
}

extension SubscriptionToken {
    /// A token of nothing.
    @usableFromInline static func over() -> SubscriptionToken {
        let life = Life()
        life.finished.raise()
        return SubscriptionToken(Subscription(request: { _ in }, cancel: {}), life)
    }
}
