// A peer on a network in memory.

import WeirTransport

/// A session on an `InMemoryNetwork`. It needs no port, no key and no permission, and it finds its peers by itself.
public final class InMemorySession: LineSession, CustomStringConvertible {
    /// What does the work.
    public let core: LineSessionCore

    /// A peer on a network in memory.
    ///
    /// - Parameters:
    ///   - name: what others read, at most 63 bytes; with another name every command fails with `unavailable`.
    ///   - network: where its peers are.
    ///   - id: who it is; give one to come back as the same peer.
    ///   - limits: what others may cost.
    public init(name: String, on network: InMemoryNetwork, id: Peer.ID = .random(), limits: PeerLimits = PeerLimits()) {
        let carrier = Carrier(
            listen: { arrived throws(PeerError) in try network.listen(id, arrived) },
            dial: { endpoint, _, done in network.dial(from: id, endpoint, done) },
            // In virtual time the disk takes no time.
            makeWorker: { { work in work() } },
            discovery: network.directory,
            place: { network.place(of: $0) })
        core = LineSessionCore(
            local: Peer(id: id, name: name), limits: limits, time: network.time, carrier: carrier)
    }

    /// As in `InMemorySession(Desk)`.
    public var description: String { "InMemorySession(\(local.name))" }
}
