/// The way from a stream to an owner's handlers.
@usableFromInline enum OwnerSink<Element: Sendable, Failure: Error> {
    /// `deliver` answers whether the owner still lives; when it does not, upstream is cancelled. `.lost` comes only where
    /// there is an inbox.
    @inlinable static func subscribe(
        _ source: Observable<Element, Failure>, _ owner: AnyObject, _ stage: Stage,
        _ inbox: Inbox<Element, Failure>? = nil,
        _ deliver: @escaping (Inbox<Element, Failure>.Letter) -> Bool
    ) -> OwnerSubscription {
        // A drain on an actor ends its life when the end is delivered.
        let life = inbox?.life ?? SubscriptionToken.Life()
        let gate = Gate<Failure>()
        let observer = Observer<Element, Failure>(
            next: { element in
                if deliver(.next(element)) { return true }
                gate.close { life.finished.raise() }
                return false
            },
            end: { completion in
                if inbox == nil { life.finished.raise() }
                gate.pass { if !deliver(.done(completion)) { life.finished.raise() } }
            }, lost: { if inbox == nil || !deliver(.lost) { life.finished.raise() } })
        let up = Trace.isOn ? Trace.subscribe(stage) { source.attach(observer) } : source.attach(observer)
        let guarded = gate.guarding(up)
        let token = SubscriptionToken(
            Subscription(
                request: guarded.request,
                cancel: {
                    inbox?.close()
                    guarded.cancel()
                }), life, isTied: false)
        guarded.request(.unbounded)
        (owner as? any SubscriptionOwner)?.subscriptions.insert(
            SubscriptionToken(token.subscription, life))
        return OwnerSubscription(token)
    }
}

/// The two ways to the handler of an owner that is held weakly.
extension OwnerSink where Failure == Never {
    /// Wherever the stream emits.
    @inlinable static func directly<Owner: AnyObject & Sendable>(
        _ source: Observable<Element, Never>, _ owner: Owner, _ stage: Stage,
        _ next: @escaping (Owner, Element) -> Void
    ) -> OwnerSubscription {
        subscribe(source, owner, stage) { [weak owner] letter in
            guard let owner else { return false }
            if case .next(let element) = letter { next(owner, element) }
            return true
        }
    }
    /// On an actor, through an inbox. An element that is on its way when the owner dies is dropped.
    @inlinable static func on<Owner: AnyObject>(
        _ isolation: any Actor, _ source: Observable<Element, Never>, _ owner: Owner, _ stage: Stage,
        _ next: @escaping (Owner, Element) -> Void
    ) -> OwnerSubscription {
        let handlers = ActorHandlers<Element, Never>(
            isolation,
            next: { [weak owner] element in
                if let owner { next(owner, element) }
            }, done: { _ in })
        let life = WeakOwner(owner)
        return subscribe(source, owner, stage, handlers.inbox) { letter in
            guard life.isAlive else { return false }
            handlers.deliver(letter)
            return true
        }
    }
}
