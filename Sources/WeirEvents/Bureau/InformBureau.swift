/// The record of who subscribes to what, and what is published: as values, as text, and as a graph.
///
///     InformBureau.shared.enable(.standardError)
///
/// It is off until you enable it; off, it costs one load for each publication and each stage of a subscription. It describes
/// any chain of observables that is attached while it is on; of one attached earlier, the topic's label, the subscriber's
/// type and the counts, since those live with the streams.
///
/// All is safe from any thread. What its own streams and sinks do is not reported, nor what a handler of a record does
/// while it runs: a publish there is delivered like any other, and adds no record.
public final class InformBureau: Sendable, CustomStringConvertible {
    /// The bureau of this process.
    public static let shared = InformBureau()

    private struct State {
        var isEnabled = false
        var roots: [TraceNode] = []
        /// Sweep when there are as many: twice what the last sweep left.
        var sweepAt = 64
        var sinks: [ObjectIdentifier: SinkSubscription] = [:]
    }
    /// What goes through the one order of records.
    private enum Item: Sendable {
        case inform(Inform)
        /// The sink has had all that was reported before it was disabled.
        case close(SinkSubscription)
    }
    /// A sink that is enabled.
    private final class SinkSubscription: Sendable {
        let sink: InformSink
        let token = Lock<SubscriptionToken?>(nil)
        init(_ sink: InformSink) { self.sink = sink }
        func end() {
            let token = token.withLock { token in
                let old = token
                token = nil
                return old
            }
            token?.cancel()
        }
    }
    private let state = Lock(State())
    /// All records, in one order. Who wants publications is listed apart from who does not.
    private let items = PublishSubject<Item, Never>()
    private let all = Roster("all", Stage("InformBureau", nil, Inform.self, #fileID, #line))
    private let some = Roster("some", Stage("InformBureau", nil, Inform.self, #fileID, #line))

    private init() {}

    /// Is it on?
    public var isEnabled: Bool { state.withLock { $0.isEnabled } }

    /// Turns it on. A second call changes nothing.
    public func enable() {
        state.withLock { $0.isEnabled = true }
        follow()
    }
    /// Turns it off: from here on nothing is reported, and the counts stand still. Sinks stay, for the next `enable`.
    public func disable() {
        let roots = state.withLock { state in
            state.isEnabled = false
            let roots = state.roots
            state.roots = []
            return roots
        }
        _ = roots
        follow()
    }
    /// What was decided last holds, whichever of two threads gets here first.
    private func follow() {
        var isOn: Bool
        repeat {
            isOn = isEnabled
            Trace.report(toBureau: isOn ? Recorder() : nil)
        } while isOn != isEnabled
    }

    /// Gives all records from now on to a sink as text, and turns the bureau on. A second call for one sink changes nothing.
    public func enable(_ sink: InformSink) {
        let new = SinkSubscription(sink)
        let isKnown = state.withLock { state in
            if state.sinks[ObjectIdentifier(sink)] != nil { return true }
            state.sinks[ObjectIdentifier(sink)] = new
            return false
        }
        if !isKnown {
            let token = items.observable(listedIn: all).subscribe { @Sendable [weak new] item in
                switch item {
                case .inform(let inform): sink.write(inform.text)
                case .close(let other): if other === new { other.end() }
                }
            }
            new.token.withLock { $0 = token }
        }
        enable()
    }
    /// Gives nothing more to a sink. The bureau stays as it is.
    ///
    /// What was reported before still comes: where another thread is writing at the moment, after this has returned.
    public func disable(_ sink: InformSink) {
        guard let old = state.withLock({ $0.sinks.removeValue(forKey: ObjectIdentifier(sink)) }) else { return }
        items.send(.close(old))
    }

    /// Everything that is reported, in one order.
    public var informs: Observable<Inform, Never> {
        items.observable(listedIn: all).compactMap { if case .inform(let inform) = $0 { inform } else { nil } }
    }
    /// Each subscription, once its first request has returned.
    public var subscriptions: Observable<Inform.Subscribed, Never> {
        items.observable(listedIn: some).compactMap {
            if case .inform(.subscription(let value)) = $0 { value } else { nil }
        }
    }
    /// Each event that is published to a topic. Only while somebody listens here, or to everything, events are copied.
    public var publications: Observable<Inform.Published, Never> {
        items.observable(listedIn: all).compactMap {
            if case .inform(.publication(let value)) = $0 { value } else { nil }
        }
    }
    /// Each cancel of a subscription, by its subscriber or by the death of an owner.
    public var cancellations: Observable<Inform.Cancelled, Never> {
        items.observable(listedIn: some).compactMap {
            if case .inform(.cancellation(let value)) = $0 { value } else { nil }
        }
    }
    /// What is allowed, and seldom meant.
    public var warnings: Observable<Inform.Warning, Never> {
        items.observable(listedIn: some).compactMap { if case .inform(.warning(let value)) = $0 { value } else { nil } }
    }

    /// What is connected to what now. Reading it ends the subscriptions of owners that are dead.
    public var graph: InformGraph {
        OwnerCard.sweep()
        let roots = running()
        return InformGraph(topics: Roster.all.filter { $0 !== all && $0 !== some }, roots: roots)
    }

    /// `InformBureau(on)` or `InformBureau(off)`.
    public var description: String { "InformBureau(\(isEnabled ? "on" : "off"))" }
}

// What the trace and the topics tell.
extension InformBureau {
    struct Recorder: TraceRecorder {
        func attached(_ root: TraceNode) { InformBureau.shared.attached(root) }
        func started(_ root: TraceNode) { InformBureau.shared.started(root) }
        func cancelled(_ root: TraceNode) { InformBureau.shared.cancelled(root) }
        func refused(_ labels: [String], _ stage: Stage) { InformBureau.shared.refused(labels, stage) }
    }

    /// Set while records are handed out on this thread: what handlers do meanwhile is not reported.
    private final class Quiet { @exclusivity(unchecked) var isOn = false }
    private static let quiet = ThreadSlot { Quiet() }

    @usableFromInline @inline(never)
    func publish(_ event: @autoclosure () -> any Sendable, _ roster: Roster, _ file: StaticString, _ line: UInt) {
        guard isEnabled else { return }
        roster.sent.add()
        guard all.listed > 0 else { return }
        report(.publication(.init(label: roster.label, type: roster.type, event: event(), file: file, line: line)))
    }

    private func report(_ record: @autoclosure () -> Inform) {
        let quiet = Self.quiet.current
        if quiet.isOn { return }
        quiet.isOn = true
        defer { quiet.isOn = false }
        items.send(.inform(record()))
    }

    private func attached(_ root: TraceNode) {
        if Self.quiet.current.isOn || isOwn(root) { return }
        let ended = state.withLock { state in
            guard state.isEnabled else { return [TraceNode]() }
            state.roots.append(root)
            guard state.roots.count >= state.sweepAt else { return [] }
            let all = state.roots
            state.roots = all.filter { $0.fate == .running }
            state.sweepAt = max(64, state.roots.count * 2)
            return all
        }
        _ = ended
    }
    private func started(_ root: TraceNode) {
        if isOwn(root) { return }
        report(.subscription(Inform.Subscribed(root)))
        for node in root.sources where node.roster != nil && node.label == "unnamed" {
            warn(.unnamedTopic, "a topic without a label has a subscriber", node.stage)
        }
        if root.fate == .finished, root.upstreams.first?.elements == 0 {
            warn(.emptyStream, "a subscription to a stream that is empty", root.stage)
        }
    }
    private func cancelled(_ root: TraceNode) {
        if isOwn(root) { return }
        report(.cancellation(Inform.Cancelled(root)))
        guard let card = root.card, card.owner == nil, card.heard.value == 0 else { return }
        warn(.ownerDiedUnheard, "\(Inform.Subscriber(root)) died before its first event", root.stage)
    }
    private func refused(_ labels: [String], _ stage: Stage) {
        let way = labels.joined(separator: " -> ")
        warn(.circle(labels), "a redirection that closes the circle \(way) was refused", stage)
    }
    private func warn(_ kind: Inform.Warning.Kind, _ message: String, _ stage: Stage) {
        report(.warning(.init(kind: kind, message: message, file: stage.file, line: stage.line)))
    }

    /// Does a reader of the bureau stand at its end?
    private func isOwn(_ root: TraceNode) -> Bool {
        root.sources.contains { $0.roster === all || $0.roster === some }
    }
    /// The subscribers whose chains are not over; the others are forgotten.
    private func running() -> [TraceNode] {
        let all = state.withLock { state in
            let all = state.roots
            state.roots = all.filter { $0.fate == .running }
            return all
        }
        return all.filter { $0.fate == .running && !isOwn($0) }
    }
}

extension TraceNode {
    /// The stages of the chain that draw from none.
    var sources: [TraceNode] {
        let above = upstreams
        return above.isEmpty ? [self] : above.flatMap(\.sources)
    }
}

extension Inform.Subscribed {
    init(_ root: TraceNode) {
        number = root.number
        subscriber = Inform.Subscriber(root)
        chain = Inform.ChainStage(root.upstreams)
        file = root.stage.file
        line = root.stage.line
    }
}

extension Inform.Cancelled {
    init(_ root: TraceNode) {
        number = root.number
        subscriber = Inform.Subscriber(root)
        labels = root.sources.filter { "\($0.stage.name)" == "Topic" }.compactMap(\.label)
        file = root.stage.file
        line = root.stage.line
    }
}

extension Inform.Subscriber {
    init(_ root: TraceNode) {
        if let card = root.card {
            self.init(card)
        } else {
            self = .listener("\(root.stage.name)")
        }
    }
    init(_ card: OwnerCard) {
        if let redirection = card.redirection {
            self = .redirection(label: redirection.roster?.label ?? "a topic that is gone")
        } else {
            let address = UInt(bitPattern: card.identity.hashValue)
            let type = card.stage.input.map { "\($0)" } ?? "?"
            self = .owner(type: type, identity: "0x" + String(address, radix: 16))
        }
    }
}

extension Inform.ChainStage {
    /// A chain has one last stage; a stream that was made by hand, without a name, may show several or none.
    init(_ nodes: [TraceNode]) {
        if nodes.count == 1, let node = nodes.first {
            self.init(node)
        } else {
            self.init(
                name: "attach", label: nil, input: nodes.isEmpty ? nil : "?", output: "?",
                upstreams: nodes.map { .init($0) }, file: "", line: 0)
        }
    }
    init(_ node: TraceNode) {
        self.init(
            name: "\(node.stage.name)", label: node.label, input: node.stage.input.map { "\($0)" },
            output: "\(node.stage.output)", upstreams: node.upstreams.map { .init($0) }, file: node.stage.file,
            line: node.stage.line)
    }
}
