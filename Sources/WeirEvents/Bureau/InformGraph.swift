/// What is connected to what at one moment: topics, other sources, operators and subscribers, with counts.
public struct InformGraph: Sendable, Equatable {
    /// A topic, a source, an operator or a subscriber.
    public struct Node: Sendable, Equatable {
        /// What a node is.
        public enum Kind: Sendable, Equatable {
            /// A topic, and how many subscriptions it has.
            case topic(subscribers: Int)
            /// The start of a chain that is no topic.
            case source
            /// An operator.
            case stage
            /// The end of a chain.
            case subscriber
        }
        /// Its number in this graph, from 1.
        public let id: Int
        /// What it is.
        public let kind: Kind
        /// A topic's label, an operator's name, or who subscribes.
        public let name: String
        /// The types: of events, or of what goes in and out.
        public let types: String
        /// What has been published, has left a stage, or was heard, while the bureau was on.
        public let events: Int
    }
    /// What leads from one node to another.
    public struct Edge: Sendable, Equatable {
        /// Where events come from.
        public let from: Int
        /// Where they go.
        public let to: Int
        /// Into another topic, by `redirect(to:)`.
        public let isRedirection: Bool
    }

    /// All nodes; a node's place is its number less one.
    public private(set) var nodes: [Node] = []
    /// All edges.
    public private(set) var edges: [Edge] = []

    /// Topics that are alive.
    public var topics: [Node] { nodes.filter { if case .topic = $0.kind { true } else { false } } }
    /// Subscribers that are alive; of listeners that came before the bureau was on, one node for each topic.
    public var subscribers: [Node] { nodes.filter { $0.kind == .subscriber } }

    init(topics: [Roster], roots: [TraceNode]) {
        var known: [ObjectIdentifier: Int] = [:]
        var early: [(topic: Int, rows: [Roster.Row])] = []
        for roster in topics {
            let rows = roster.subscribers
            let id = add(
                .topic(subscribers: rows.count), roster.label, "\(roster.stage.output)", roster.sent.value)
            known[ObjectIdentifier(roster)] = id
            early.append((id, rows.filter { !$0.isTraced }))
        }
        for root in roots { add(root, known) }
        for (topic, rows) in early { add(early: rows, of: topic, known) }
    }

    private mutating func add(_ kind: Node.Kind, _ name: String, _ types: String, _ events: Int) -> Int {
        nodes.append(Node(id: nodes.count + 1, kind: kind, name: name, types: types, events: events))
        return nodes.count
    }
    private mutating func join(_ from: Int, _ to: Int, isRedirection: Bool = false) {
        edges.append(Edge(from: from, to: to, isRedirection: isRedirection))
    }

    /// A chain with its subscriber.
    private mutating func add(_ root: TraceNode, _ known: [ObjectIdentifier: Int]) {
        let ends = root.upstreams.map { add(stage: $0, known) }
        if let target = root.card?.redirection?.roster, let topic = known[ObjectIdentifier(target)] {
            for end in ends { join(end, topic, isRedirection: true) }
            return
        }
        let events = root.card?.heard.value ?? root.upstreams.reduce(0) { $0 + $1.elements }
        let id = add(.subscriber, "\(Inform.Subscriber(root))", "\(root.stage.output)", events)
        for end in ends { join(end, id) }
    }
    /// A stage and all above it.
    private mutating func add(stage node: TraceNode, _ known: [ObjectIdentifier: Int]) -> Int {
        if let roster = node.roster, let topic = known[ObjectIdentifier(roster)] { return topic }
        let above = node.upstreams.map { add(stage: $0, known) }
        let stage = node.stage
        let id = add(stage.input == nil ? .source : .stage, stage.title(node.label), stage.types, node.elements)
        for from in above { join(from, id) }
        return id
    }
    /// Who came before the bureau was on: the subscriber is known, what is between is not.
    private mutating func add(early rows: [Roster.Row], of topic: Int, _ known: [ObjectIdentifier: Int]) {
        for card in rows.compactMap(\.card) {
            if let target = card.redirection?.roster, let other = known[ObjectIdentifier(target)] {
                join(topic, other, isRedirection: true)
            } else {
                let id = add(.subscriber, "\(Inform.Subscriber(card))", "\(card.stage.output)", card.heard.value)
                join(topic, id)
            }
        }
        let listeners = rows.count { $0.card == nil }
        if listeners > 0 {
            join(topic, add(.subscriber, listeners == 1 ? "1 listener" : "\(listeners) listeners", "", 0))
        }
    }
}

extension InformGraph: CustomStringConvertible {
    /// As in `InformGraph(2 topics, 3 subscribers, 7 nodes)`.
    public var description: String {
        "InformGraph(\(topics.count) topics, \(subscribers.count) subscribers, \(nodes.count) nodes)"
    }
}
