// What a session tells about its connections, as values.

/// A line to a peer, agreed on by both sides.
public struct Connection: Hashable, Sendable, CustomStringConvertible {
    /// Who is at the other end.
    public let peer: Peer
    /// Whether this side asked for it.
    public let isOutgoing: Bool
    /// Tells this connection from earlier and later ones to the same peer.
    public let number: Int

    /// A connection, for an adapter of your own; `number` grows with each.
    public init(peer: Peer, isOutgoing: Bool, number: Int) {
        self.peer = peer
        self.isOutgoing = isOutgoing
        self.number = number
    }

    /// As in `Connection(to Desk)`.
    public var description: String { "Connection(\(isOutgoing ? "to" : "from") \(peer.name))" }
}

/// Why a connection is over.
public enum DisconnectReason: Hashable, Sendable, CustomStringConvertible {
    /// This side ended it.
    case closedHere
    /// The other side said goodbye.
    case closedThere
    /// The same peer came again on another line, which stays.
    case replaced
    /// The line broke, or nobody was heard on it for too long, or the other side broke the rules.
    case lost(PeerError)

    /// The reason, in words.
    public var description: String {
        switch self {
        case .closedHere: "closed here"
        case .closedThere: "closed by the other side"
        case .replaced: "replaced by a newer connection"
        case .lost(let error): "lost: \(error)"
        }
    }
}

/// A connection that is over, and why.
public struct Disconnection: Hashable, Sendable, CustomStringConvertible {
    /// Who was at the other end.
    public let peer: Peer
    /// Why it ended.
    public let reason: DisconnectReason

    /// From a peer and a reason.
    public init(peer: Peer, reason: DisconnectReason) {
        self.peer = peer
        self.reason = reason
    }

    /// As in `Desk: closed by the other side`.
    public var description: String { "\(peer.name): \(reason)" }
}

/// A connection comes or goes.
public enum ConnectionChange: Hashable, Sendable {
    /// A connection is there, agreed on by both sides.
    case connected(Connection)
    /// A connection is over.
    case disconnected(Disconnection)
}

/// A peer that can be found, as discovery shows it.
public struct NearbyPeer: Hashable, Sendable, CustomStringConvertible {
    /// Who it is.
    public let peer: Peer
    /// A host name or address.
    public let host: String
    /// The TCP port.
    public let port: UInt16
    /// What it says about itself.
    public let info: [String: String]

    /// From what a responder knows.
    public init(peer: Peer, host: String, port: UInt16, info: [String: String] = [:]) {
        self.peer = peer
        self.host = host
        self.port = port
        self.info = info
    }

    /// Peers are equal by id; what is found is equal only when the name, the place and the info are, too.
    public static func == (left: NearbyPeer, right: NearbyPeer) -> Bool {
        left.peer == right.peer && left.peer.name == right.peer.name && left.host == right.host
            && left.port == right.port && left.info == right.info
    }

    /// The peer's name.
    public var description: String { peer.name }
}
