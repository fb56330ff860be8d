/// A subscription in your hands: it cancels when it is released, so keep it as long as you want to listen.
///
/// It does not hold the handlers: those go when the stream drops them, at the end or at cancel.
public final class SubscriptionToken: Sendable, CustomStringConvertible {
    @usableFromInline let subscription: Subscription
    @usableFromInline let life: Watch

    /// Whether its release cancels.
    @usableFromInline let isTied: Bool

    @inlinable init(_ subscription: Subscription, _ life: Life, isTied: Bool = true) {
        self.subscription = subscription
        self.life = Watch(life)
        self.isTied = isTied
    }
    @inlinable deinit { if isTied && !life.isRaised { subscription.cancel() } }

    /// Stops the stream. On the thread that is delivering, the handler is not called again once this returns; elsewhere
    /// at most the call already running finishes. A second call does nothing.
    @inlinable public func cancel() {
        life.raise()
        subscription.cancel()
    }

    /// Has the stream ended, or was it cancelled, or has it let go of the handlers, as a subject does that nobody holds any
    /// more?
    public var isFinished: Bool { life.isOver }

    /// Keeps this token in a bag, and with it the subscription.
    public func store(in bag: SubscriptionBag) { bag.insert(self) }

    /// `SubscriptionToken(active)` or `SubscriptionToken(finished)`.
    public var description: String { "SubscriptionToken(\(isFinished ? "finished" : "active"))" }
}

/// Tokens with one life: when the bag is released or emptied, all of them are cancelled.
///
/// Tokens that are finished are dropped as new ones come, so a bag does not grow with what is over.
public final class SubscriptionBag: Sendable, CustomStringConvertible {
    private struct Content {
        var tokens: [SubscriptionToken] = []
        /// Sweep when the bag has grown to this: twice what the last sweep left, so inserting is O(1), amortised.
        var sweepAt = 8
    }
    private let content = Lock(Content())

    /// An empty bag.
    public init() {}

    /// Adds a token. One that is finished already is not kept.
    public func insert(_ token: SubscriptionToken) {
        if token.isFinished { return }
        let ended = content.withLock { content -> [SubscriptionToken] in
            content.tokens.append(token)
            guard content.tokens.count >= content.sweepAt else { return [] }
            let all = content.tokens
            content.tokens = all.filter { !$0.isFinished }
            content.sweepAt = max(8, content.tokens.count * 2)
            return all  // released outside the lock: a token's deinit cancels
        }
        _ = ended
    }

    /// Cancels all tokens and empties the bag, which can be used again.
    public func cancel() {
        let all = content.withLock { content in
            let all = content.tokens
            content = Content()
            return all
        }
        for token in all { token.cancel() }
    }

    /// How many subscriptions are alive in it. O(n).
    public var count: Int { content.withLock { $0.tokens }.count { !$0.isFinished } }

    /// As in `SubscriptionBag(3 active)`.
    public var description: String { "SubscriptionBag(\(count) active)" }
}
