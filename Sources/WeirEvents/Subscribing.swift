// The ways to subscribe that the core does not have: listening without an owner, methods without an argument, and handlers
// of signed events that get the signature, or whether it is their owner's own.

/// An unapplied method that takes nothing, typed so that its actor is not lost.
public typealias UnappliedCall<Owner> = @Sendable (Owner) -> @isolated(any) @Sendable () -> Void

/// An unapplied method that takes two values, typed so that its actor is not lost.
public typealias UnappliedPair<Owner, First, Second> =
    @Sendable (Owner) -> @isolated(any) @Sendable (First, Second) -> Void

extension ObservableConvertible where Failure == Never {
    /// Listens without an owner: the token's life is the subscription's.
    ///
    /// - Parameter next: takes each event, wherever it is published.
    /// - Returns: a token that cancels when it is released.
    @inlinable @inline(__always) public func listen(
        _ next: sending @escaping (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        subscribe(next, file: file, line: line)
    }

    /// Listens for as long as an object lives, which is held weakly and not handed to the handler: a topic, say.
    ///
    /// - Returns: what stops it earlier. Letting go of it stops nothing.
    @discardableResult @inlinable public func listen(
        forLifeOf owner: some AnyObject & Sendable, _ next: @escaping @Sendable (Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(owner, { _, event in next(event) }, file: file, line: line)
    }
}

extension ObservableConvertible where Element == Void, Failure == Never {
    /// Runs the stream into a method without an argument, on the method's own actor where it has one. The owner is held
    /// weakly. See `subscribe(_:with:)`.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, with method: @escaping UnappliedCall<Owner>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(
            owner, on: method(owner).isolation, file: file, line: line,
            call: { owner, _ in unsafeBitCast(method(owner), to: (@Sendable () -> Void).self)() },
            hop: { _, owner, _ in await method(owner)() })
    }

    /// Runs the stream into a closure that gets the owner alone, which is held weakly.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, _ next: @escaping @Sendable (Owner) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(owner, { owner, _ in next(owner) }, file: file, line: line)
    }
}

extension ObservableConvertible where Element: SignedEvent, Failure == Never {
    /// Runs signed events into a method that takes the value and the signature, on the method's own actor where it has
    /// one. The owner is held weakly.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, withSignature method: @escaping UnappliedPair<Owner, Element.Value, Signature?>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(
            owner, on: method(owner).isolation, file: file, line: line,
            call: { owner, event in
                unsafeBitCast(method(owner), to: (@Sendable (Element.Value, Signature?) -> Void).self)(
                    event.value, event.signature)
            },
            hop: { _, owner, event in await method(owner)(event.value, event.signature) })
    }

    /// Runs signed events into a closure that gets the owner, the value and the signature.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, signed next: @escaping @Sendable (Owner, Element.Value, Signature?) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(owner, { owner, event in next(owner, event.value, event.signature) }, file: file, line: line)
    }

    /// Runs signed events into a method that takes the value and whether the owner itself has signed it.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, withIsOwn method: @escaping UnappliedPair<Owner, Element.Value, Bool>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let own = Signature(of: owner)
        return subscribe(
            owner, on: method(owner).isolation, file: file, line: line,
            call: { owner, event in
                unsafeBitCast(method(owner), to: (@Sendable (Element.Value, Bool) -> Void).self)(
                    event.value, event.signature == own)
            },
            hop: { _, owner, event in await method(owner)(event.value, event.signature == own) })
    }

    /// Runs signed events into a closure that gets the owner, the value, and whether the owner itself has signed it.
    @discardableResult @inlinable public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, isOwn next: @escaping @Sendable (Owner, Element.Value, Bool) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let own = Signature(of: owner)
        return subscribe(
            owner, { owner, event in next(owner, event.value, event.signature == own) }, file: file, line: line)
    }

    /// Listens to the values and their signatures without an owner.
    @inlinable public func listenSigned(
        _ next: @escaping @Sendable (Element.Value, Signature?) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        subscribe({ @Sendable event in next(event.value, event.signature) }, file: file, line: line)
    }
}
