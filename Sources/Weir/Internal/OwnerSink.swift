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
        let tether = Tether<Failure>(
            end: { completion in
                if inbox == nil { life.finished.raise() }
                gate.pass { if !deliver(.done(completion)) { life.finished.raise() } }
            }, lost: { if inbox == nil || !deliver(.lost) { life.finished.raise() } })
        let observer = Observer<Element, Failure>(
            next: { element in
                if deliver(.next(element)) { return true }
                gate.close { life.finished.raise() }
                return false
            },
            done: { tether.done($0) })
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
