// Everything that can go wrong between peers, as a value. The text names the thing and the limit and says what to do.

/// Why something between peers did not happen.
public enum PeerError: Error, Hashable, Sendable {
    /// Nobody answers there: the address, and what the system says.
    case unreachable(String)
    /// The other side said no; its words, where it gave any.
    case declined(String)
    /// Nobody answered in time: what was waited for, and how long.
    case timedOut(String)
    /// There is no connection to this peer.
    case notConnected(Peer)
    /// The key of the other side is not one that the application trusts.
    case untrusted(fingerprint: String)
    /// Somebody else uses this name or address already.
    case nameTaken(String)
    /// More bytes than the limit allows.
    case tooLarge(what: String, bytes: Int, limit: Int)
    /// The other side broke the rules of the wire, and its connection was ended.
    case protocolViolation(String)
    /// A message that arrived whole, but is not what the receiver reads it as. The next message is not affected.
    case malformed(String)
    /// This side, or the other one, called it off.
    case cancelled
    /// Something that this version or this machine does not offer.
    case unavailable(String)
    /// The system refused an operation.
    case io(String)
}

extension PeerError: CustomStringConvertible {
    /// What happened, to whom, and what to do next.
    public var description: String {
        switch self {
        case .unreachable(let what): "unreachable: \(what)"
        case .declined(let why): why.isEmpty ? "the other side declined" : "the other side declined: \(why)"
        case .timedOut(let what): "timed out: \(what)"
        case .notConnected(let peer): "there is no connection to \(peer.name) (\(peer.id)); connect to it first"
        case .untrusted(let fingerprint):
            "the key \(fingerprint) is not trusted; accept it or add it to the trust policy"
        case .nameTaken(let name): "\(name) is taken; choose another one"
        case .tooLarge(let what, let bytes, let limit):
            "\(what) has \(bytes) bytes, the limit is \(limit); send less at once, or a file"
        case .protocolViolation(let what): "the other side broke the protocol: \(what)"
        case .malformed(let what): "malformed message: \(what)"
        case .cancelled: "cancelled"
        case .unavailable(let what): "not available: \(what)"
        case .io(let what): "input or output failed: \(what)"
        }
    }
}
