// A network in memory: it has a clock of its own, a latency, and cables that can be pulled. Peers on it speak the same
// protocol, frame for frame, as over TCP.

import WeirTransport

/// A network for tests and previews. Nothing is global: peers on two networks never meet.
///
/// With a virtual clock nothing moves until the clock does, and everything happens in one order.
public final class InMemoryNetwork: Sendable, CustomStringConvertible {
    /// How long bytes take from one end to the other.
    public let latency: Duration
    let time: Timekeeper
    let directory = InProcessDirectory()
    private let state = Lock(State())

    private struct State {
        var nextPort: UInt16 = 1
        var listeners: [UInt16: Listener] = [:]
        var cables: [Cable] = []
        var partitions: Set<Pair> = []
    }

    private struct Listener {
        let peer: Peer.ID
        let arrived: @Sendable (any ByteStream) -> Void
    }

    /// Two peers, in either order.
    private struct Pair: Hashable {
        let low: Peer.ID
        let high: Peer.ID
        init(_ a: Peer.ID, _ b: Peer.ID) { (low, high) = a < b ? (a, b) : (b, a) }
    }

    private struct Cable {
        let pair: Pair
        weak var there: MemoryPipe?
        weak var back: MemoryPipe?
        var pipes: [MemoryPipe] { [there, back].compactMap { $0 } }
    }

    /// A network without peers.
    ///
    /// - Parameters:
    ///   - scheduler: the network's time: a virtual clock, or a real one.
    ///   - latency: how long bytes take from one end to the other.
    public init(on scheduler: some Scheduler, latency: Duration = .milliseconds(1)) {
        self.latency = latency
        time = Timekeeper(scheduler)
    }

    /// Nothing gets through between these two any more; it waits, and arrives when the partition heals. New connections
    /// get no answer.
    public func partition(_ one: Peer, _ other: Peer) { setPartition(Pair(one.id, other.id), holds: true) }

    /// Ends a partition: what waited arrives now.
    public func heal(_ one: Peer, _ other: Peer) { setPartition(Pair(one.id, other.id), holds: false) }

    private func setPartition(_ pair: Pair, holds: Bool) {
        let cables = state.withLock { state in
            if holds { state.partitions.insert(pair) } else { state.partitions.remove(pair) }
            return state.cables.filter { $0.pair == pair }
        }
        for pipe in cables.flatMap(\.pipes) { pipe.hold(holds) }
    }

    /// Pulls the cable between these two: what was sent is gone, and neither side is told. New connections are possible.
    public func cut(_ one: Peer, _ other: Peer) {
        let pair = Pair(one.id, other.id)
        let cables = state.withLock { $0.cables.filter { $0.pair == pair } }
        for pipe in cables.flatMap(\.pipes) { pipe.die() }
    }

    /// As in `InMemoryNetwork(2 peers)`.
    public var description: String { "InMemoryNetwork(\(state.withLock { $0.listeners.count }) peers)" }
}

// MARK: - For its sessions

extension InMemoryNetwork {
    static func host(of peer: Peer.ID) -> String { "memory-\(peer)" }

    func listen(
        _ peer: Peer.ID, _ arrived: @escaping @Sendable (any ByteStream) -> Void
    ) throws(PeerError) -> Listening {
        let port = state.withLock { state -> UInt16? in
            guard state.listeners.count < Int(UInt16.max) else { return nil }
            while state.nextPort == 0 || state.listeners[state.nextPort] != nil { state.nextPort &+= 1 }
            state.listeners[state.nextPort] = Listener(peer: peer, arrived: arrived)
            defer { state.nextPort &+= 1 }
            return state.nextPort
        }
        guard let port else { throw .unavailable("a port on this network: all of them are taken") }
        return Listening(host: Self.host(of: peer), port: port) { [weak self] in
            let dropped = self?.state.withLock { $0.listeners.removeValue(forKey: port) }
            withExtendedLifetime(dropped) {}
        }
    }

    func place(of peer: Peer) -> Endpoint? {
        let port = state.withLock { state in
            state.listeners.filter { $0.value.peer == peer.id }.keys.min()
        }
        return port.map { Endpoint(host: Self.host(of: peer.id), port: $0) }
    }

    func dial(
        from peer: Peer.ID, _ endpoint: Endpoint,
        _ done: @escaping @Sendable (Result<any ByteStream, PeerError>) -> Void
    ) -> @Sendable () -> Void {
        let work = time.after(latency) { [weak self] in
            guard let self, let found = state.withLock({ $0.listeners[endpoint.port] }),
                endpoint.host == Self.host(of: found.peer)
            else { return done(.failure(.unreachable("nobody listens at \(endpoint)"))) }
            guard let (near, far) = lay(Pair(peer, found.peer), from: peer, to: endpoint) else { return }
            found.arrived(far)
            done(.success(near))
        }
        return { work.cancel() }
    }

    /// A new cable, or nil where a partition lets nobody through.
    private func lay(_ pair: Pair, from peer: Peer.ID, to endpoint: Endpoint) -> (MemoryStream, MemoryStream)? {
        let here = Endpoint(host: Self.host(of: peer), port: 0)
        let there = MemoryPipe(time, latency: latency, writer: here)
        let back = MemoryPipe(time, latency: latency, writer: endpoint)
        let isOpen = state.withLock { state in
            state.cables.removeAll { $0.there == nil && $0.back == nil }
            guard !state.partitions.contains(pair) else { return false }
            state.cables.append(Cable(pair: pair, there: there, back: back))
            return true
        }
        guard isOpen else { return nil }
        return (
            MemoryStream(remote: endpoint, incoming: back, outgoing: there),
            MemoryStream(remote: here, incoming: there, outgoing: back)
        )
    }
}
