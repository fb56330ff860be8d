import Foundation
import Testing
import WeirTesting
import WeirTransport

@testable import WeirPeers

/// What carries the bytes of a test.
enum Medium: CaseIterable, CustomTestStringConvertible {
    case memory, tcp
    var testDescription: String { self == .memory ? "memory" : "TCP" }
}

/// A place where peers meet. Deadlines are virtual on both media; over TCP the bytes move by themselves.
final class World: Sendable {
    let medium: Medium
    let clock = VirtualClock()
    let network: InMemoryNetwork
    let directory = InProcessDirectory()
    private let bag = SubscriptionBag()

    init(_ medium: Medium) {
        self.medium = medium
        network = InMemoryNetwork(on: clock)
    }

    func peer(
        _ name: String, id: Peer.ID = .random(), limits: PeerLimits = PeerLimits(), accepts: Bool = true,
        advertises: Bool = true
    ) -> LocalPeer {
        let peer =
            switch medium {
            case .memory: LocalPeer(InMemorySession(name: name, on: network, id: id, limits: limits))
            case .tcp:
                LocalPeer(
                    NetworkSession(
                        name: name, encryption: .none, identity: .given(id), host: "127.0.0.1", discovery: directory,
                        limits: limits, on: clock, log: { _ in }))
            }
        if accepts { peer.invitations.subscribe { $0.accept() }.store(in: bag) }
        if advertises { peer.startAdvertising() }
        peer.startBrowsing()
        pass()
        return peer
    }

    /// In memory: lets everything happen that does not wait for a deadline.
    func pass(_ time: Duration = .milliseconds(20)) {
        if medium == .memory { clock.advance(by: time) }
    }

    /// Lets a command run.
    func run<Element, Failure>(_ command: Observable<Element, Failure>) -> Recorder<Element, Failure> {
        let recorder = Recorder(command)
        pass()
        return recorder
    }

    /// Two peers, and a connection from the first one to the second one.
    func pair(limits: PeerLimits = PeerLimits()) async throws -> (LocalPeer, LocalPeer) {
        let desk = peer("Desk", limits: limits)
        let phone = peer("Phone", limits: limits)
        try await connect(desk, phone)
        return (desk, phone)
    }

    func connect(_ one: LocalPeer, _ other: LocalPeer) async throws {
        let there = Recorder(other.connections)
        _ = try await run(one.connect(to: other.peer)).one()
        await there.wait { $0.elements.last?.contains { $0.peer == one.peer } == true }
    }

    func send(_ command: Observable<Never, PeerError>) async -> PeerError? { await run(command).end() }

    /// A line to a peer that speaks whatever the test wants.
    func raw(to peer: LocalPeer, id: Peer.ID = .random()) async throws -> RawPeer {
        let endpoint = try #require((peer.session as? any LineSession)?.core.listening.value)
        let place = Endpoint(host: endpoint.host, port: endpoint.port)
        let stream: any ByteStream = try await withCheckedThrowingContinuation { continuation in
            switch medium {
            case .memory: _ = network.dial(from: id, place) { continuation.resume(with: $0) }
            case .tcp:
                _ = TCPDialling.dial(place, timeout: .seconds(60), time: Timekeeper(clock)) {
                    continuation.resume(with: $0.map { $0 as any ByteStream })
                }
            }
            pass()
        }
        return RawPeer(self, stream, Peer(id: id, name: "Raw"))
    }
}

/// One end of a line without any manners of its own.
final class RawPeer: Sendable {
    let world: World
    let stream: any ByteStream
    let peer: Peer
    private let reader = Guarded(FrameReader(limit: 1 << 20))

    init(_ world: World, _ stream: any ByteStream, _ peer: Peer) {
        self.world = world
        self.stream = stream
        self.peer = peer
    }

    var hello: Frame { .hello(Hello(peer: peer, messageLimit: 4 << 20, window: 4 << 20 + 64)) }

    func send(_ frames: Frame...) { send(frames.flatMap(\.bytes)) }

    func send(_ bytes: [UInt8]) {
        _ = stream.write(bytes)
        world.pass()
    }

    /// The next frame; nil at the end of the line.
    func next() async throws -> Frame? {
        while true {
            let frame = try reader.withLock { reader in Result { try reader.next() } }.get()
            if let frame { return frame }
            let bytes: [UInt8]? = try await withCheckedThrowingContinuation { continuation in
                stream.read { continuation.resume(with: $0) }
                world.pass()
            }
            guard let bytes else { return nil }
            reader.withLock { $0.feed(bytes) }
        }
    }

    /// Reads on until a frame of this kind, or the end.
    func next(_ kind: FrameKind) async throws -> Frame? {
        while let frame = try await next() { if frame.kind == kind { return frame } }
        return nil
    }

    /// Says hello, invites and is accepted.
    func connect() async throws {
        send(hello)
        _ = try #require(try await next(.hello))
        send(.invite(context: []))
        _ = try #require(try await next(.accept))
    }

    /// Whether the other side has ended the line, with a goodbye or without.
    func isDropped() async -> Bool {
        do {
            while try await next() != nil {}
            return true
        } catch {
            return true
        }
    }
}

/// The bytes of a file, which may be empty.
func fileContents(_ url: URL) throws -> Data { try FileHandle(forReadingFrom: url).readToEnd() ?? Data() }
