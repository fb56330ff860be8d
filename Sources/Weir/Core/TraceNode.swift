/// One stage of a chain that was attached while a recorder listened. Its count goes on as elements pass.
public final class TraceNode: Sendable, CustomStringConvertible {
    /// What has become of a stage.
    public enum Fate: Sendable, Equatable {
        /// It may still signal.
        case running
        /// Its end has passed.
        case finished, failed
        /// Its subscriber has cancelled it.
        case cancelled
        /// It was let go without an end.
        case released
    }

    /// What the stage says of itself.
    public let stage: Stage
    /// The name of this place: the one that `named` gave it, or the label of a topic; nil at every other stage.
    public let label: String?
    /// Who subscribes to the labelled source that this is; nil for every other stage.
    package weak let roster: Roster?
    /// The owner, where this is a subscriber that has one.
    package let card: OwnerCard?

    /// Its number in this process.
    package let number = TraceNode.born.add()
    private static let born = Tally()

    let tally = Tally()
    private let above = Lock<[TraceNode]>([])
    private let end = Lock(Fate.running)
    private let isStarted = Flag()
    private let isSubscriber: Bool

    init(_ stage: Stage, _ label: String?, _ roster: Roster?) {
        self.stage = stage
        self.label = label
        self.roster = roster
        card = nil
        isSubscriber = false
    }
    /// The root: a subscriber, with its owner where it has one.
    init(subscriber stage: Stage, _ card: OwnerCard?) {
        self.stage = stage
        label = nil
        roster = nil
        self.card = card
        isSubscriber = true
    }

    /// Elements that have left the stage so far.
    public var elements: Int { tally.value }
    /// The stages it draws from, in the order in which they were attached; a joining operator attaches late.
    public var upstreams: [TraceNode] { above.withLock { $0 } }

    /// What has become of it; for a subscriber: of its chain.
    public var fate: Fate {
        let own = end.withLock { $0 }
        guard own == .running, isSubscriber, let first = upstreams.first else { return own }
        return first.fate
    }

    func add(_ node: TraceNode) { above.withLock { $0.append(node) } }

    /// The first word counts. Answers whether this was it.
    @discardableResult func settle(_ fate: Fate) -> Bool {
        end.withLock { end in
            guard end == .running else { return false }
            end = fate
            return true
        }
    }
    /// The first request has returned, so all that is linked by it is known.
    func start() { if isStarted.raise() { Trace.tell { $0.started(self) } } }

    /// What an observer holds as long as it is held.
    final class Hold {
        let node: TraceNode
        init(_ node: TraceNode) { self.node = node }
        deinit { node.settle(.released) }
    }

    /// The chain from this stage up, a line a stage, indented.
    public var description: String { lines(0).joined(separator: "\n") }

    private func lines(_ level: Int) -> [String] {
        let own = String(repeating: "   ", count: level) + "\(stage.text(label)): \(elements)"
        return [own] + upstreams.flatMap { $0.lines(level + 1) }
    }
}

/// Receives each chain that is attached while it listens.
public protocol TraceRecorder: Sendable {
    /// A subscriber was attached. `root` is the subscriber; its upstreams are the chain. Called on the thread that
    /// subscribes, before the first request, so counts are still zero.
    func attached(_ root: TraceNode)
    /// The first request of a subscriber has returned: what joining operators attach with it is known now, too.
    func started(_ root: TraceNode)
    /// A subscriber has cancelled its chain, or is about to: its owner's death ends a subscription so, too.
    func cancelled(_ root: TraceNode)
    /// A redirection was refused, since it closes a circle. The labels name it, the first one twice.
    func refused(_ labels: [String], _ stage: Stage)
}

extension TraceRecorder {
    /// Does nothing.
    public func started(_ root: TraceNode) {}
    /// Does nothing.
    public func cancelled(_ root: TraceNode) {}
    /// Does nothing.
    public func refused(_ labels: [String], _ stage: Stage) {}
}
