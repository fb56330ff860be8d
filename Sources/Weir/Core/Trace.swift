import Synchronization

/// The hook through which a running chain shows itself: which operators, where they were written, what they carried.
///
/// Off, it costs one relaxed load for each stage and subscription, and nothing for an element. On, each stage that is
/// attached from then on reports itself and counts its elements. A chain that was attached earlier stays unseen.
public enum Trace {
    @usableFromInline static let on = Atomic<Bool>(false)
    static let listeners = Lock(Listeners())

    /// Who is told: the recorder of the user, and the bureau of events beside it.
    struct Listeners {
        var recorder: (any TraceRecorder)?
        var bureau: (any TraceRecorder)?
        var isEmpty: Bool { recorder == nil && bureau == nil }
    }

    /// Is a recorder listening?
    @inlinable public static var isOn: Bool { on.load(ordering: .relaxed) }

    /// Reports every chain attached from now on to `recorder`, in place of the one before.
    public static func start(_ new: any TraceRecorder) { set(\.recorder, new) }

    /// Stops reporting. Stages that are attached already go on counting.
    public static func stop() { set(\.recorder, nil) }

    /// The second listener, beside the user's own. nil stops it.
    package static func report(toBureau new: (any TraceRecorder)?) { set(\.bureau, new) }

    private static func set(
        _ place: WritableKeyPath<Listeners, (any TraceRecorder)?>, _ new: (any TraceRecorder)?
    ) {
        let old = listeners.withLock { listeners in
            let old = listeners[keyPath: place]
            listeners[keyPath: place] = new
            on.store(!listeners.isEmpty, ordering: .relaxed)
            return old
        }
        _ = old
    }

    /// Tells all who listen; not under the lock.
    static func tell(_ report: (any TraceRecorder) -> Void) {
        let now = listeners.withLock { $0 }
        if let recorder = now.recorder { report(recorder) }
        if let bureau = now.bureau { report(bureau) }
    }

    /// Attaches one stage under the scope of whoever is being attached below it.
    @usableFromInline @inline(never)
    static func attach<Element: Sendable, Failure: Error>(
        _ stage: Stage, named label: String? = nil, of roster: Roster? = nil, _ down: Observer<Element, Failure>,
        _ attach: (Observer<Element, Failure>) -> Subscription
    ) -> Subscription {
        let scope = Scope.current
        guard let parent = scope.node else { return attach(down) }
        let node = TraceNode(stage, label, roster)
        parent.add(node)
        // Whoever drops the observer without an end drops this.
        let hold = TraceNode.Hold(node)
        return Scope(node: node, nesting: scope.nesting, card: scope.card).run {
            attach(
                Observer(
                    next: { element in
                        node.tally.add()
                        return down.next(element)
                    },
                    done: { completion in
                        hold.node.settle(completion.failure == nil ? .finished : .failed)
                        down.done(completion)
                    }))
        }
    }

    /// Attaches a whole chain: the subscriber is the root of what is reported.
    @usableFromInline @inline(never)
    static func subscribe(_ stage: Stage, _ card: OwnerCard? = nil, _ attach: () -> Subscription) -> Subscription {
        let root = TraceNode(subscriber: stage, card)
        let up = Scope(node: root, nesting: 0, card: card).run(attach)
        tell { $0.attached(root) }
        return Subscription(
            request: { demand in
                up.request(demand)
                root.start()
            },
            cancel: {
                root.start()
                if root.fate == .running, root.settle(.cancelled) { tell { $0.cancelled(root) } }
                up.cancel()
            })
    }

    /// Whose upstreams are being attached on this thread, and how deep in streams that were made while their chain ran. An
    /// operator that attaches later keeps the scope of its own attach and runs the later one in it.
    @usableFromInline struct Scope: Sendable {
        @usableFromInline let node: TraceNode?
        /// Stages since the last segment, over all the streams around this one (`Segment.swift`).
        @usableFromInline let nesting: Int
        /// The owner on whose behalf it is attached.
        @usableFromInline let card: OwnerCard?

        private final class Holder {
            @exclusivity(unchecked) var node: TraceNode?
            @exclusivity(unchecked) var nesting = 0
            @exclusivity(unchecked) var card: OwnerCard?
        }
        private static let slot = ThreadSlot { Holder() }

        @inlinable init(node: TraceNode?, nesting: Int, card: OwnerCard?) {
            self.node = node
            self.nesting = nesting
            self.card = card
        }
        @usableFromInline static var current: Scope {
            let holder = slot.current
            return Scope(node: holder.node, nesting: holder.nesting, card: holder.card)
        }

        @inlinable func run<Answer>(_ body: () -> Answer) -> Answer {
            node == nil && nesting == 0 && card == nil ? body() : enter(body)
        }

        @usableFromInline func enter<Answer>(_ body: () -> Answer) -> Answer {
            let holder = Self.slot.current
            let outer = (holder.node, holder.nesting, holder.card)
            holder.node = node
            holder.nesting = nesting
            holder.card = card
            defer { (holder.node, holder.nesting, holder.card) = outer }
            return body()
        }
    }
}
