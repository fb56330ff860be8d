// observe: like subscribe, delivered on the caller's actor, in order.

extension ObservableConvertible {
    /// Runs the stream into two handlers on the caller's actor, in order.
    ///
    /// The handlers may use the actor's own state. Elements wait in a queue until the actor gets to them; nothing is
    /// dropped. After `cancel` returns on that actor nothing more is delivered.
    ///
    /// - Parameters:
    ///   - next: takes each element.
    ///   - done: takes the end.
    ///   - isolation: the caller's actor; leave it out.
    /// - Returns: a token that cancels when it is released.
    @inlinable
    public func observe(
        _ next: @escaping (Element) -> Void, done: @escaping (Completion<Failure>) -> Void,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        let handlers = ActorHandlers<Element, Failure>(isolation, next: next, done: done)
        let tether = Tether<Failure>(
            end: { handlers.deliver(.done($0)) }, lost: { handlers.deliver(.lost) })
        let token = subscribe({ handlers.deliver(.next($0)) }, done: { tether.done($0) }, file: file, line: line)
        // Not the handlers: a token holds none.
        let inbox = handlers.inbox
        return SubscriptionToken(
            Subscription(
                request: { _ in },
                cancel: {
                    inbox.close()
                    token.cancel()
                }), inbox.life)
    }
}

extension ObservableConvertible where Failure == Never {
    /// Runs a stream that cannot fail into a handler on the caller's actor, in order. See the form with `done:`.
    @inlinable
    public func observe(
        _ next: @escaping (Element) -> Void,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        observe(next, done: { _ in }, isolation: isolation, file: file, line: line)
    }

    /// Runs a stream that cannot fail into a closure on the caller's actor, together with an owner that is held weakly
    /// and may be a class of that actor that is not `Sendable`.
    ///
    /// From the owner's death on the handler is never called. Letting go of the result stops nothing.
    @discardableResult @inlinable
    public func observe<Owner: AnyObject>(
        _ owner: Owner, _ next: @escaping (Owner, Element) -> Void,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        OwnerSink.on(isolation, observable, owner, Stage("observe", Owner.self, Element.self, file, line), next)
    }

    /// Runs a stream that cannot fail into a method of an owner on the method's own actor, in order, as in
    /// `observe(panel, with: Panel.show)`. The same as `subscribe(_:with:)`, called from an actor.
    @discardableResult @inlinable
    public func observe<Owner: AnyObject & Sendable>(
        _ owner: Owner, with method: @escaping UnappliedMethod<Owner, Element>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        subscribe(owner, with: method, file: file, line: line)
    }

    /// Runs a stream that cannot fail into a closure on an actor, as in `observe(by: self) { me, element in … }` inside
    /// one. The actor is held weakly; letting go of the result stops nothing.
    @discardableResult @inlinable
    public func observe<Owner: Actor>(
        by owner: Owner, _ next: @escaping @Sendable (isolated Owner, Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let inbox = Inbox<Element, Never>()
        let stage = Stage("observe", Owner.self, Element.self, file, line)
        return OwnerSink.subscribe(observable, owner, stage, inbox) { [weak owner] letter in
            guard owner != nil else { return false }
            if inbox.put(letter) {
                Task { [weak owner] in
                    guard let owner else { return }
                    await ActorDrain.run(on: owner, inbox, next)
                }
            }
            return true
        }
    }
}

@usableFromInline enum ActorDrain {
    @inlinable static func run<Owner: Actor, Element: Sendable>(
        on owner: isolated Owner, _ inbox: Inbox<Element, Never>,
        _ next: @Sendable (isolated Owner, Element) -> Void
    ) {
        inbox.drain({ next(owner, $0) }, { _ in })
    }
}
