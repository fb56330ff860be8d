// Messages as an adapter carries them: bytes, and what they are.

import Foundation

/// What the bytes of a message are.
public enum PeerMessageKind: UInt8, Sendable {
    /// Bytes without a meaning of their own.
    case data = 1
    /// UTF-8.
    case string
    /// JSON in UTF-8.
    case json
}

/// A message that has arrived whole, before anybody has read it as anything.
public struct IncomingMessage: Sendable, CustomStringConvertible {
    /// Who sent it.
    public let peer: Peer
    /// What the sender says it is.
    public let kind: PeerMessageKind
    /// Its bytes.
    public let bytes: Data
    /// While a copy of this message lives, its bytes count against the sender's window.
    private let lease: Lease?

    /// A message, for an adapter of your own.
    ///
    /// - Parameter released: is called once when the last copy of this message has gone: the sender has room again.
    public init(peer: Peer, kind: PeerMessageKind, bytes: Data, released: (@Sendable () -> Void)? = nil) {
        self.peer = peer
        self.kind = kind
        self.bytes = bytes
        lease = released.map(Lease.init)
    }

    private final class Lease: Sendable {
        let released: @Sendable () -> Void
        init(_ released: @escaping @Sendable () -> Void) { self.released = released }
        deinit { released() }
    }

    /// As in `IncomingMessage(from Desk, 12 bytes of string)`.
    public var description: String { "IncomingMessage(from \(peer.name), \(bytes.count) bytes of \(kind))" }
}
