/// What the bureau reports: one of four kinds, each a value.
public enum Inform: Sendable, CustomStringConvertible {
    /// Somebody has subscribed.
    case subscription(Subscribed)
    /// An event was published to a topic.
    case publication(Published)
    /// A subscription was cancelled, or ended by the death of its owner.
    case cancellation(Cancelled)
    /// Something is likely not meant so.
    case warning(Warning)

    /// A chain, from its sources to its subscriber.
    public struct Subscribed: Sendable {
        /// The same number stands in the report of its cancel.
        public let number: Int
        /// Who hears the events.
        public let subscriber: Subscriber
        /// The last stage before the subscriber, with all that are above it.
        public let chain: ChainStage
        /// Module and file of the call that subscribed.
        public let file: StaticString
        /// The line of that call.
        public let line: UInt
    }

    /// An event and the topic that it went to.
    public struct Published: Sendable {
        /// The topic's label.
        public let label: String
        /// The type of the topic's events.
        public let type: String
        /// The event itself.
        public let event: any Sendable
        /// Module and file of the call that published.
        public let file: StaticString
        /// The line of that call.
        public let line: UInt
    }

    /// The end of a subscription by its subscriber, or by the death of its owner.
    public struct Cancelled: Sendable {
        /// The number that the report of the subscription has.
        public let number: Int
        /// Who heard the events.
        public let subscriber: Subscriber
        /// The labels of the topics that the chain drew on.
        public let labels: [String]
        /// Module and file of the call that had subscribed.
        public let file: StaticString
        /// The line of that call.
        public let line: UInt
    }

    /// Something that is allowed, and seldom meant.
    public struct Warning: Sendable {
        /// What it is.
        public enum Kind: Sendable, Equatable {
            /// A subscription to a stream that finished at once, without an element.
            case emptyStream
            /// A topic without a label has a subscriber.
            case unnamedTopic
            /// An owner died before it heard anything.
            case ownerDiedUnheard
            /// A redirection was refused, since it closes a circle: its labels, the first one twice.
            case circle([String])
        }
        /// What it is.
        public let kind: Kind
        /// The same in words.
        public let message: String
        /// Module and file of the call that subscribed.
        public let file: StaticString
        /// The line of that call.
        public let line: UInt
    }

    /// Who hears the events at the end of a chain.
    public enum Subscriber: Sendable, Equatable, CustomStringConvertible {
        /// An object; its identity is its address, in hexadecimal digits.
        case owner(type: String, identity: String)
        /// Another topic.
        case redirection(label: String)
        /// A handler without an owner: `subscribe`, `values`, and the like.
        case listener(String)

        /// As in `Panel 0x7f3c0010`, `redirection to "Log.lines"`, `listener (subscribe)`.
        public var description: String {
            switch self {
            case .owner(let type, let identity): "\(type) \(identity)"
            case .redirection(let label): "redirection to \"\(label)\""
            case .listener(let way): "listener (\(way))"
            }
        }
    }

    /// A stage of a chain: a source, or an operator with what it draws from.
    public struct ChainStage: Sendable {
        /// The operator, as in `map`; `Topic` for a topic.
        public let name: String
        /// A topic's label, or the name that `named` gave; nil else.
        public let label: String?
        /// The type of what comes in; nil for a source.
        public let input: String?
        /// The type of what goes out.
        public let output: String
        /// The stages it draws from; a merging one has several.
        public let upstreams: [ChainStage]
        /// Module and file where it was written.
        public let file: StaticString
        /// The line of that.
        public let line: UInt
    }

    /// The record as text; the first line begins with `(S)`, `(P)`, `(C)` or `(W)`.
    public var description: String { text }
}
