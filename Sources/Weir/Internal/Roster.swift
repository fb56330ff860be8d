import Synchronization

/// Who subscribes to a labelled source: counted, named, and ended by owner. It keeps none of them alive.
@usableFromInline package final class Roster: Sendable {
    /// One subscription to the source. A subscriber has as many as the chain in front of it draws on the source.
    @usableFromInline package final class Row: Sweepable, @unchecked Sendable {
        private weak let entry: (any RosterEntry)?
        /// Who subscribes; nil: somebody without an owner.
        package let card: OwnerCard?
        /// The trace knows its chain.
        package let isTraced: Bool

        init(_ entry: any RosterEntry, _ scope: Trace.Scope) {
            self.entry = entry
            card = scope.card
            isTraced = scope.node != nil
        }
        /// Noticing the death of the owner ends the subscription, and this with it.
        package override var isSpent: Bool {
            _ = card?.isSpent
            return entry?.isLeft ?? true
        }
        /// Has it asked for an element? Before, the source does not know it.
        var isActive: Bool { entry?.isActive ?? false }
    }
    private let rows = SweptList<Row>()
    /// What the source is called.
    @usableFromInline package let label: String
    /// What kind of source it is, and where it was made.
    @usableFromInline package let stage: Stage
    fileprivate let isClosed = Flag()
    /// The type of its elements in words: made once, since that takes longer than a publication.
    package var type: String {
        if let known = known.withLock({ $0 }) { return known }
        let type = "\(stage.output)"
        known.withLock { $0 = type }
        return type
    }
    private let known = Lock<String?>(nil)
    /// Elements sent while somebody wanted them counted.
    package let sent = Tally()

    package init(_ label: String, _ stage: Stage) {
        self.label = label
        self.stage = stage
        Roster.sources.add(Source(self))
    }

    /// The source is gone, though somebody may hold its stream.
    package func close() { isClosed.raise() }

    @usableFromInline func list(_ entry: any RosterEntry) {
        let row = Row(entry, Trace.Scope.current)
        rows.add(row)
        // Listed before the look: of two that close a circle from both ends at once, at least one sees the other.
        guard let card = row.card, let redirection = card.redirection, !redirection.allowsFeedback,
            let way = redirection.roster?.way(to: self)
        else { return }
        rows.remove(row)
        card.refuse([label] + way)
    }

    /// The labels from here to a source over redirections; nil: none leads there.
    private func way(to goal: Roster) -> [String]? {
        var seen: Set<ObjectIdentifier> = []
        func search(_ roster: Roster) -> [String]? {
            if roster === goal { return [roster.label] }
            guard seen.insert(ObjectIdentifier(roster)).inserted else { return nil }
            for row in roster.rows.swept() {
                guard let redirection = row.card?.redirection, !redirection.allowsFeedback,
                    let next = redirection.roster
                else { continue }
                if let way = search(next) { return [roster.label] + way }
            }
            return nil
        }
        return search(self)
    }

    /// Every labelled source of this process that lives, in the order in which they were made.
    package static var all: [Roster] { sources.swept().compactMap(\.roster) }
    private static let sources = SweptList<Source>()
    private final class Source: Sweepable, @unchecked Sendable {
        weak let roster: Roster?
        init(_ roster: Roster) { self.roster = roster }
        override var isSpent: Bool { roster?.isClosed.isUp ?? true }
    }

    /// All that are subscribed, in the order in which they were attached. Those whose owners are dead are ended, and not
    /// among them. O(n log n).
    package var subscribers: [Row] { rows.swept().filter(\.isActive) }

    /// Ends all subscriptions of an owner that draw on the source.
    package func cancel(_ owner: AnyObject) {
        for row in rows.swept() where row.card?.owner === owner { row.card?.cancel() }
    }
    /// Entries in the list, those that are over and not swept yet among them.
    package var listed: Int { rows.listed }
}

/// What a roster knows of an entry of a hub.
@usableFromInline protocol RosterEntry: AnyObject {
    /// It has asked, and it is not over.
    var isActive: Bool { get }
    /// It is over.
    var isLeft: Bool { get }
}

extension Hub.Entry: RosterEntry {
    @usableFromInline var isActive: Bool { !isOver }
    @inlinable var isLeft: Bool {
        let demand = word.load(ordering: .acquiring)
        return demand < 0 && demand != Self.fresh
    }
}

extension PublishSubject {
    /// The stream, under the label and stage of the roster; whoever subscribes is listed.
    @inlinable package func observable(listedIn roster: Roster) -> Observable<Element, Failure> {
        let hub = hub
        return Observable(depth: 0) { down in
            Trace.isOn
                ? Trace.attach(roster.stage, named: roster.label, of: roster, down) { hub.listed($0, roster) }
                : hub.listed(down, roster)
        }
    }
}

extension Hub {
    @inlinable func listed(_ down: Observer<Element, Failure>, _ roster: Roster) -> Subscription {
        let entry = Entry(down, self)
        roster.list(entry)
        return Subscription(entry)
    }
}
