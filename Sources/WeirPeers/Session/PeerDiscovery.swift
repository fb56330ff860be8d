// How peers find each other, apart from how they connect. The directory in this file serves one process: tests, and the
// network in memory.

/// Announces peers and finds them.
public protocol PeerDiscovery: Sendable {
    /// Announces `peer` for as long as somebody subscribes.
    func advertise(_ peer: NearbyPeer) -> Observable<Never, PeerError>
    /// All that is announced, now and after each change, one entry for each id.
    func browse() -> Observable<[NearbyPeer], PeerError>
}

/// Peers of one process find each other here. Each test makes its own; nothing is global.
public final class InProcessDirectory: PeerDiscovery, CustomStringConvertible {
    private let entries = BehaviorSubject<[NearbyPeer], Never>([])
    private let known = Sequencer<[Peer.ID: NearbyPeer]>([:])

    /// A directory without entries.
    public init() {}

    /// Announces `peer` for as long as somebody subscribes. A later announcement of the same id takes its place.
    public func advertise(_ peer: NearbyPeer) -> Observable<Never, PeerError> {
        .create { [self] emitter in
            edit { $0[peer.peer.id] = peer }
            emitter.onTermination { self.edit { if $0[peer.peer.id] == peer { $0[peer.peer.id] = nil } } }
        }
    }

    /// All entries, ordered by id, now and after each change.
    public func browse() -> Observable<[NearbyPeer], PeerError> {
        entries.observable.setFailureType(to: PeerError.self)
    }

    private func edit(_ change: @escaping @Sendable (inout [Peer.ID: NearbyPeer]) -> Void) {
        known.run { [entries] known in
            change(&known)
            entries.send(known.values.sorted { $0.peer.id < $1.peer.id })
        }
    }

    /// As in `InProcessDirectory(2 peers)`.
    public var description: String { "InProcessDirectory(\(entries.value.count) peers)" }
}
