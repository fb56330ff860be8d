/// Between a stream and an owner's handlers: ends when the stream does, when it is cancelled, and when the owner's death
/// is noticed.
///
/// Like a `Gate` it is held by what upstream holds; its way up and upstream's way here form a circle, which upstream cuts
/// when it drops its observer.
@usableFromInline final class OwnerLink<Element: Sendable, Failure: Error>: Engine, OwnerLinking {
    @usableFromInline let card: OwnerCard
    @usableFromInline let life: SubscriptionToken.Life
    @usableFromInline let inbox: Inbox<Element, Failure>?
    /// Written before the first request, constant from then on.
    @exclusivity(unchecked) @usableFromInline var up = Subscription(request: { _ in }, cancel: {})
    @usableFromInline let over = Flag()

    @inlinable init(
        _ owner: AnyObject, _ stage: Stage, _ inbox: Inbox<Element, Failure>?, _ redirection: Redirection? = nil
    ) {
        card = OwnerCard(owner, stage, redirection)
        self.inbox = inbox
        // A drain on an actor ends its life when the end is delivered.
        life = inbox?.life ?? SubscriptionToken.Life()
    }
    @inlinable deinit { if !over.isUp { card.retire() } }

    @inlinable func request(_ demand: Demand) { up.request(demand) }
    @inlinable func cancel() {
        guard over.raise() else { return }
        life.finished.raise()
        inbox?.close()
        card.retire()
        up.cancel()
    }
    /// Upstream's own end; `signal` answers whether the owner has heard it.
    @inlinable func end(_ signal: () -> Bool) {
        guard over.raise() else { return }
        card.retire()
        if inbox == nil { life.finished.raise() }
        if !signal() { life.finished.raise() }
    }
    /// Upstream has let go without an end.
    @inlinable func lost(_ signal: () -> Bool) {
        guard over.raise() else { return }
        card.retire()
        if inbox == nil || !signal() { life.finished.raise() }
    }
}
