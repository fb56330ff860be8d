/// Names a subscription that belongs to an owner, and ends it when the owner is gone. It keeps neither alive.
///
/// A system without a hook on an object's death can only look. The next element looks; and so that a stream which says
/// nothing does not keep what belongs to the dead, each subscription with an owner looks at two others.
@usableFromInline package final class OwnerCard: Sweepable, @unchecked Sendable {
    /// All subscriptions of this process that have an owner.
    static let all = SweptList<OwnerCard>()

    /// Whose subscription it is.
    package weak let owner: AnyObject?
    /// The way it was made; `input` is the owner's type.
    package let stage: Stage
    /// Tells the owner from others of its type, also after its death.
    package let identity: ObjectIdentifier
    /// What it ends: written before `isArmed` goes up, and constant from then on.
    @exclusivity(unchecked) private weak var link: (any OwnerLinking)?
    private let isClaimed = Flag()
    private let isArmed = Flag()
    /// Where events go on to, where it is a redirection.
    @usableFromInline package let redirection: Redirection?
    private let refusal = Lock<[String]?>(nil)
    /// Elements that the owner has taken; counted where a trace is on.
    @usableFromInline package let heard = Tally()

    @usableFromInline init(_ owner: AnyObject, _ stage: Stage, _ redirection: Redirection?) {
        self.owner = owner
        self.stage = stage
        self.redirection = redirection
        identity = ObjectIdentifier(owner)
    }

    /// Counts what the owner takes.
    @usableFromInline func counting<Element: Sendable, Failure: Error>(
        _ observer: Observer<Element, Failure>
    ) -> Observer<Element, Failure> {
        Observer(
            next: { element in
                guard observer.next(element) else { return false }
                self.heard.add()
                return true
            }, done: observer.done)
    }

    /// From here on it may end the subscription.
    @usableFromInline func arm(_ link: any OwnerLinking) {
        guard isClaimed.raise() else { return }
        self.link = link
        isArmed.raise()
        OwnerCard.all.add(self)
    }
    /// The subscription is over.
    @usableFromInline func retire() { OwnerCard.all.remove(self) }

    /// Ends the subscription.
    package func cancel() { if isArmed.isUp { link?.cancel() } }

    /// Ends a redirection that closes a circle, and says so.
    func refuse(_ labels: [String]) {
        let isFirst = refusal.withLock { refusal in
            defer { refusal = refusal ?? labels }
            return refusal == nil
        }
        cancel()
        guard isFirst else { return }
        Trace.tell { $0.refused(labels, stage) }
        Unhandled.report(
            "the redirection to \"\(labels[1])\" would close the circle \(labels.joined(separator: " -> ")), "
                + "so it is refused; where that is meant, say allowsFeedback: true", file: stage.file, line: stage.line)
    }
    /// The circle for which it was refused.
    @usableFromInline package var isRefused: Bool { refusal.withLock { $0 != nil } }

    /// Ends the subscription where its owner is dead.
    package override var isSpent: Bool {
        if owner != nil { return false }
        cancel()
        return isArmed.isUp
    }

    /// Ends all subscriptions of this process whose owners are dead.
    package static func sweep() { _ = all.swept() }
}

/// The labelled source that a redirection feeds.
@usableFromInline package struct Redirection: Sendable {
    /// Who subscribes to that source.
    package weak let roster: Roster?
    /// A circle through it is meant.
    package let allowsFeedback: Bool

    @usableFromInline package init(to roster: Roster, allowsFeedback: Bool) {
        self.roster = roster
        self.allowsFeedback = allowsFeedback
    }
}

/// What a card ends.
@usableFromInline protocol OwnerLinking: AnyObject { func cancel() }
