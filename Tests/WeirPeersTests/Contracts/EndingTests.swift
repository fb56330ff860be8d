import Foundation
import Testing
import WeirTesting

@testable import WeirPeers

@Suite(.timeLimit(.minutes(5))) struct EndingTests {
    @Test(arguments: Medium.allCases)
    func disconnectEndsBothSidesWithTheReason(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let here = Recorder(desk.disconnectedPeers)
        let there = Recorder(phone.disconnectedPeers)
        desk.disconnect(from: phone.peer)
        world.pass()
        #expect(await here.count(1) == [Disconnection(peer: phone.peer, reason: .closedHere)])
        #expect(await there.count(1) == [Disconnection(peer: desk.peer, reason: .closedThere)])
        #expect(await world.send(desk.send("gone", to: phone.peer)) == .notConnected(phone.peer))
        try await world.connect(phone, desk)
    }

    @Test(arguments: Medium.allCases)
    func lettingGoOfTheClientEndsBothSides(medium: Medium) async throws {
        let world = World(medium)
        var pair = try await Optional(world.pair())
        let phone = try #require(pair?.1)
        let there = Recorder(phone.disconnectedPeers)
        let connections = try Recorder(#require(pair?.0).connections)
        pair = nil
        world.pass()
        #expect(await there.count(1).map(\.reason) == [.closedThere])
        #expect(await connections.end() == nil)
    }

    @Test(arguments: Medium.allCases)
    func closeLetsWhatIsUnderWayArrive(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let received = Recorder(phone.receive(Data.self))
        let sending = (0..<20).map { Recorder(desk.send(Data(repeating: UInt8($0), count: 200_000), to: phone.peer)) }
        let closed = Recorder(
            Observable<Bool, Never> {
                await desk.close(within: .seconds(5)); return true
            })
        if medium == .memory { while closed.elements.isEmpty { world.pass(); await Task.yield() } }
        _ = try await closed.one()
        for command in sending { #expect(await command.end() == nil) }
        #expect(await received.count(20).map { $0.value.first } == (0..<20).map { UInt8($0) })
        let refusal = PeerError.unavailable("this session is closed and takes no new work; make another one")
        #expect(await world.send(desk.send("late", to: phone.peer)) == refusal)
        #expect(await world.run(desk.connect(to: phone.peer)).end() == refusal)
    }

    @Test func closeCutsWhatDoesNotArriveInTime() async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        world.network.partition(desk.peer, phone.peer)
        let sending = world.run(desk.send("lost", to: phone.peer))
        let done = Recorder(
            Observable<Bool, Never>.create { [session = desk.session] emitter in
                session.close(within: .seconds(5)) { emitter.send(true) }
            })
        world.pass(.seconds(4))
        #expect(done.elements.isEmpty)
        world.pass(.seconds(2))
        #expect(done.elements == [true])
        #expect(await sending.end() == .notConnected(phone.peer))
    }

    /// Of several calls the earliest counts, and so does a task that is cancelled.
    @Test(arguments: ["again", "cancel"]) func aSecondCloseMayCutSooner(how: String) async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        world.network.partition(desk.peer, phone.peer)
        let sending = world.run(desk.send("lost", to: phone.peer))
        let closing = Task { await desk.close(within: .seconds(1_000_000)) }
        let isRefused = { await world.send(desk.send("x", to: phone.peer)) != nil }
        if how == "cancel" { closing.cancel() } else { desk.disconnect() }
        await closing.value
        #expect(await sending.end() == .notConnected(phone.peer))
        #expect(await isRefused())
    }

    // MARK: Contract 5: a link that dies

    @Test func aPulledCableIsNoticedWithinThreeHeartbeats() async throws {
        let world = World(.memory)
        let id = Peer.ID.random()
        let desk = world.peer("Desk")
        let phone = world.peer("Phone", id: id)
        try await world.connect(desk, phone)
        let lost = Recorder(desk.disconnectedPeers)
        let lists = Recorder(desk.connections)
        world.network.cut(desk.peer, phone.peer)
        let sending = world.run(desk.send("into the void", to: phone.peer))
        world.pass(.seconds(29))
        #expect(lost.elements.isEmpty)
        world.pass(.seconds(2))
        guard case .lost(.timedOut(let what)) = lost.elements.first?.reason else {
            Issue.record("\(lost.elements)")
            return
        }
        #expect(what == "Phone has been silent for 30.0 seconds")
        guard case .timedOut = await sending.end() else {
            Issue.record("the message should fail with the reason")
            return
        }
        try await world.connect(desk, phone)
        #expect(lists.elements.map(\.count) == [1, 0, 1])
    }

    /// The link dies and nobody says goodbye; a second later the same id is there again.
    @Test(arguments: Medium.allCases)
    func contract5AnIdThatComesBackReplacesItsGhost(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let nearby = Recorder(desk.nearbyPeers)
        let ghost = try await world.raw(to: desk)
        try await ghost.connect()
        let lost = Recorder(desk.disconnectedPeers)
        let lists = Recorder(desk.connections)
        world.clock.advance(by: .seconds(1))
        #expect(lost.elements.isEmpty)
        let phone = world.peer("Phone", id: ghost.peer.id)
        try await world.connect(phone, desk)
        #expect(await lost.count(1) == [Disconnection(peer: phone.peer, reason: .replaced)])
        #expect(lists.elements.map(\.count) == [1, 0, 1])
        #expect(nearby.elements.last?.map(\.peer) == [phone.peer])
        #expect(await world.send(desk.send("welcome back", to: phone.peer)) == nil)
        #expect(await ghost.isDropped())
    }

    /// Without heartbeats nobody is asked, and nobody is lost for being silent.
    @Test(arguments: Medium.allCases, [Duration.zero, .seconds(-1)])
    func withoutAHeartbeatSilenceIsNoLoss(medium: Medium, heartbeat: Duration) async throws {
        let world = World(medium)
        var limits = PeerLimits()
        limits.heartbeat = heartbeat
        let desk = world.peer("Desk", limits: limits)
        let raw = try await world.raw(to: desk)
        try await raw.connect()
        let lost = Recorder(desk.disconnectedPeers)
        for _ in 0..<100 { world.clock.advance(by: .seconds(60)) }
        let received = Recorder(desk.receive(String.self))
        raw.send(.message(number: 1, kind: .string, total: 5, bytes: Array("still".utf8)[...]))
        #expect(await received.count(1).map(\.value) == ["still"])
        #expect(lost.elements.isEmpty)
    }

    @Test func aPartitionThatHealsInTimeLosesNothing() async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let received = Recorder(phone.receive(String.self))
        world.network.partition(desk.peer, phone.peer)
        let sending = world.run(desk.send("patience", to: phone.peer))
        world.pass(.seconds(20))
        #expect(received.elements.isEmpty)
        world.network.heal(desk.peer, phone.peer)
        world.pass()
        #expect(await sending.end() == nil)
        #expect(received.elements == [Message(value: "patience", peer: desk.peer)])
    }

    @Test(arguments: Medium.allCases)
    func aSilentPeerIsLostAndAnAnsweringOneStays(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let raw = try await world.raw(to: desk)
        try await raw.connect()
        let lost = Recorder(desk.disconnectedPeers)
        let pings = Guarded(0)
        for _ in 0..<4 {
            world.clock.advance(by: .seconds(10))
            // The living one proves that it lives before the clock moves on.
            #expect(await world.send(phone.send("here", to: desk.peer)) == nil)
            pings.withLock { $0 += 1 }
        }
        #expect(await lost.count(1).map(\.peer) == [raw.peer])
        #expect(try await raw.next(.ping) != nil)
        #expect(await raw.isDropped())
        #expect(Recorder(desk.connections).elements.last?.map(\.peer) == [phone.peer])
    }
}
