import Foundation
import Testing
import WeirTestSupport
import WeirTesting

@testable import WeirPeers

/// What a peer without manners may do: the answer is an error value, that peer is dropped, and others are unharmed.
@Suite(.timeLimit(.minutes(5))) struct AttackTests {
    /// Two peers that are connected, and what one of them reports.
    private struct Victim {
        let world: World
        let desk: LocalPeer
        let phone: LocalPeer
        let errors: Recorder<PeerError, Never>
        let received: Recorder<Message<String>, Never>
        let folder: Folder

        init(_ medium: Medium, limits: PeerLimits = PeerLimits()) async throws {
            world = World(medium)
            desk = world.peer("Desk", limits: limits)
            phone = world.peer("Phone")
            try await world.connect(phone, desk)
            errors = Recorder(desk.errors)
            received = Recorder(desk.receive(String.self))
            folder = try Folder()
        }

        /// The others are unharmed.
        func check(_ note: String) async {
            let word = "after \(note)"
            #expect(await world.send(phone.send(word, to: desk.peer)) == nil, "\(note)")
            #expect(received.elements.last?.value == word)
            #expect(await Recorder(desk.connections).wait { $0.elements.last?.count == 1 }.elements.last?.count == 1)
        }

        func violations() -> Int {
            errors.elements.filter { if case .protocolViolation = $0 { true } else { false } }.count
        }
    }

    @Test(arguments: Medium.allCases)
    func badBytesBeforeTheHandshakeDropThatPeerAlone(medium: Medium) async throws {
        let victim = try await Victim(medium)
        let future = RawPeer(victim.world, try await victim.world.raw(to: victim.desk).stream, victim.phone.peer)
        var hello = Hello(peer: future.peer, messageLimit: 1, window: 100)
        (hello.lowest, hello.highest) = (7, 9)
        var tiny = Hello(peer: future.peer, messageLimit: 1, window: 3)
        tiny.highest = 4
        let attacks: [(String, [UInt8])] = [
            ("a frame of 2^31 bytes", [0x80, 0, 0, 0]), ("HTTP", Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            ("an unknown kind", [0, 0, 0, 2, 200, 1]), ("a frame without a kind", [0, 0, 0, 0]),
            ("a reserved kind", [0, 0, 0, 1, 48]), ("a version from the future", Frame.hello(hello).bytes),
            ("a window without room", Frame.hello(tiny).bytes),
            ("an invitation without a hello", Frame.invite(context: []).bytes),
            ("accept out of turn", Frame.accept.bytes), ("a first frame over 8 KiB", [0, 0, 0x20, 1]),
            ("a message before the connection", Frame.message(number: 1, kind: .data, total: 1, bytes: [1]).bytes),
        ]
        for (number, (name, bytes)) in attacks.enumerated() {
            let raw = try await victim.world.raw(to: victim.desk)
            raw.send(bytes)
            #expect(await raw.isDropped(), "\(name)")
            _ = await victim.errors.count(number + 1)
            #expect(victim.violations() == number + 1, "\(name)")
            await victim.check(name)
        }
    }

    @Test(arguments: Medium.allCases)
    func badFramesOnAConnectionDropThatPeerAlone(medium: Medium) async throws {
        let victim = try await Victim(medium)
        let files = Recorder(victim.desk.receive(filesInto: victim.folder.url))
        let big = ArraySlice<UInt8>(repeating: 1, count: 1_000_000)
        let offer = Frame.fileOffer(transfer: 1, size: 10, name: "a")
        let attacks: [(String, [Frame])] = [
            ("a second hello", [.hello(Hello(peer: victim.phone.peer, messageLimit: 1, window: 100))]),
            ("a second invitation", [.invite(context: [])]), ("an unsolicited accept", [.accept]),
            ("a message out of order", [.message(number: 2, kind: .data, total: 0, bytes: [])]),
            ("a message over the limit", [.message(number: 1, kind: .data, total: 5 << 20, bytes: [1])]),
            ("more than a message has", [.message(number: 1, kind: .data, total: 1, bytes: [1, 2])]),
            ("more of nothing", [.more(bytes: [1])]),
            (
                "a message inside another",
                [
                    .message(number: 1, kind: .data, total: 2, bytes: [1]),
                    .message(number: 2, kind: .data, total: 0, bytes: []),
                ]
            ),
            ("nothing more", [.message(number: 1, kind: .data, total: 2, bytes: [1]), .more(bytes: [])]),
            ("an acknowledgement of nothing", [.ack(1)]), ("credit for no file", [.credit(lane: 2, bytes: 5)]),
            ("an answer to no offer", [.fileAccept(transfer: 2, offset: 0, room: 9)]),
            ("done with no file", [.fileDone(transfer: 2)]),
            ("a file out of turn", [.fileOffer(transfer: 2, size: 1, name: "a")]),
            ("an offer twice", [offer, offer]), ("bytes of no file", [.filePart(transfer: 1, offset: 0, bytes: [1])]),
            ("a path", [.fileOffer(transfer: 1, size: 1, name: "../../etc/x")]),
            ("a NUL in a name", [.fileOffer(transfer: 1, size: 1, name: "a\u{0}b")]),
            ("an empty name", [.fileOffer(transfer: 1, size: 1, name: "")]),
            ("a name of 256 bytes", [.fileOffer(transfer: 1, size: 1, name: String(repeating: "n", count: 256))]),
            ("stopping no file", [.fileStop(transfer: 5, .failed, "")]),
            ("more than the window", (1...6).map { .message(number: $0, kind: .data, total: 1_000_000, bytes: big) }),
        ]
        // Nobody takes the data, so that the window fills up.
        let slow = victim.desk.receive(Data.self).values(prefetch: 1).makeAsyncIterator()
        for (number, (name, frames)) in attacks.enumerated() {
            let raw = try await victim.world.raw(to: victim.desk)
            try await raw.connect()
            raw.send(frames.flatMap(\.bytes))
            #expect(await raw.isDropped(), "\(name)")
            _ = await victim.errors.count(number + 1)
            #expect(victim.violations() == number + 1, "\(name)")
            await victim.check(name)
        }
        withExtendedLifetime(slow) {}
        #expect(victim.folder.names == [])
        files.cancel()
    }

    @Test(arguments: Medium.allCases)
    func aFileThatIsNotWhatItSaysIsRefused(medium: Medium) async throws {
        let victim = try await Victim(medium)
        let files = Recorder(victim.desk.receive(filesInto: victim.folder.url))
        victim.world.pass()
        let digest = [UInt8](repeating: 0, count: 32)
        let part = Frame.filePart(transfer: 1, offset: 0, bytes: [1, 2, 3])
        let attacks: [(String, [Frame])] = [
            ("too many bytes", [.filePart(transfer: 1, offset: 0, bytes: [1, 2, 3, 4, 5])]),
            ("a gap", [.filePart(transfer: 1, offset: 1, bytes: [1])]), ("an overlap", [part, part]),
            ("too few bytes", [part, .fileEnd(transfer: 1, digest: digest)]),
            ("an offset near 2^63", [.filePart(transfer: 1, offset: .max, bytes: [1])]),
            ("a part without bytes", [.filePart(transfer: 1, offset: 0, bytes: [])]),
        ]
        for (name, frames) in attacks {
            let raw = try await victim.world.raw(to: victim.desk)
            try await raw.connect()
            raw.send(.fileOffer(transfer: 1, size: 4, name: "x"))
            _ = try #require(try await raw.next(.fileAccept))
            raw.send(frames.flatMap(\.bytes))
            #expect(await raw.isDropped(), "\(name)")
            await victim.check(name)
        }
        // A wrong hash is no breach of the protocol: the transfer fails, the connection stays.
        let raw = try await victim.world.raw(to: victim.desk)
        try await raw.connect()
        raw.send(.fileOffer(transfer: 1, size: 3, name: "x"))
        _ = try #require(try await raw.next(.fileAccept))
        raw.send(part, .fileEnd(transfer: 1, digest: digest))
        #expect(try await raw.next(.fileStop) == .fileStop(transfer: 1, .corrupt, ""))
        let failed = await files.wait { $0.elements.filter { if case .failed = $0 { true } else { false } }.count == 7 }
        guard case .failed(let file, .io(let what)) = failed.elements.last else {
            Issue.record("\(failed.elements.suffix(1))")
            return
        }
        #expect(what.contains("SHA-256 differs") && file.name == "x")
        #expect(victim.folder.names == [])
        #expect(victim.violations() == attacks.count)
    }

    @Test func sizesThatNoDiskHasAreOffersLikeOthersAndTheSignBitIsAViolation() async throws {
        let victim = try await Victim(.memory)
        let files = Recorder(victim.desk.receive(filesInto: victim.folder.url))
        let raw = try await victim.world.raw(to: victim.desk)
        try await raw.connect()
        raw.send(.fileOffer(transfer: 1, size: .max, name: "x"))
        #expect(try await raw.next(.fileAccept) == .fileAccept(transfer: 1, offset: 0, room: 1 << 20))
        var negative = Frame.fileOffer(transfer: 3, size: 0, name: "y").bytes
        negative[9] = 0x80
        raw.send(negative)
        #expect(await raw.isDropped())
        #expect(files.elements.count == 1)
        #expect(victim.folder.names == [])
    }

    @Test(arguments: Medium.allCases)
    func garbageOnAConnectionIsAnErrorValue(medium: Medium) async throws {
        let victim = try await Victim(medium)
        let seed = UInt64.random(in: .min ... .max)
        print("attack seed \(seed)")
        var source = Seeded(seed)
        for round in 0..<60 {
            let raw = try await victim.world.raw(to: victim.desk)
            if round % 2 == 0 { try await raw.connect() }
            let kind = FrameKind.allCases[round % FrameKind.allCases.count].rawValue
            let body = source.bytes(round)
            raw.send([0, 0, 0, UInt8(body.count + 1), kind] + body + source.bytes(200))
            raw.stream.finish()
            #expect(await raw.isDropped(), "seed \(seed), round \(round)")
        }
        await victim.check("garbage with the seed \(seed)")
    }

    @Test func aRecordedSessionCutAtEachByteIsAnErrorValue() async throws {
        let victim = try await Victim(.memory)
        let peer = Peer(id: .random(), name: "Raw")
        let recorded =
            Frame.hello(Hello(peer: peer, messageLimit: 100, window: 1_000)).bytes
            + Frame.invite(context: [1, 2]).bytes
            + Frame.message(number: 1, kind: .data, total: 3, bytes: [1, 2]).bytes + Frame.more(bytes: [3]).bytes
            + Frame.ping(1).bytes + Frame.fileOffer(transfer: 1, size: 0, name: "e").bytes
        for end in 0..<recorded.count {
            let raw = try await victim.world.raw(to: victim.desk, id: peer.id)
            raw.send(Array(recorded.prefix(end)))
            raw.stream.finish()
            #expect(await raw.isDropped(), "cut at \(end)")
        }
        await victim.check("\(recorded.count) cuts")
    }

    @Test func everyFrameReflectedIsAnErrorValueOrAnAnswer() async throws {
        let victim = try await Victim(.memory)
        let raw = try await victim.world.raw(to: victim.desk)
        raw.send(raw.hello)
        let answer = try #require(try await raw.next())
        raw.send(answer)
        #expect(await raw.isDropped())
        await victim.check("its own hello")
        // Whoever says that it is the victim itself is nobody.
        let mirror = try await victim.world.raw(to: victim.desk)
        mirror.send(answer)
        #expect(await mirror.isDropped())
        #expect(Recorder(victim.desk.connections).elements.last?.count == 1)
    }

    @Test(arguments: Medium.allCases)
    func aSlowHandshakeEndsInTime(medium: Medium) async throws {
        let victim = try await Victim(medium)
        let raw = try await victim.world.raw(to: victim.desk)
        let hello = raw.hello.bytes
        for byte in hello.prefix(6) {
            raw.send([byte])
            victim.world.clock.advance(by: .seconds(1))
        }
        #expect(await raw.isDropped())
        let idle = try await victim.world.raw(to: victim.desk)
        idle.send(idle.hello)
        _ = try #require(try await idle.next(.hello))
        victim.world.clock.advance(by: .seconds(10))
        #expect(await idle.isDropped())
        await victim.check("two that never came to the point")
    }

    @Test func tooManyAtOnceAreTurnedAway() async throws {
        let victim = try await Victim(.memory)
        var lines: [RawPeer] = []
        for _ in 0..<64 { lines.append(try await victim.world.raw(to: victim.desk)) }
        let late = try await victim.world.raw(to: victim.desk)
        #expect(try await late.next() == .bye(.busy, "too many connections"))
        #expect(await late.isDropped())
        await victim.check("64 that say nothing")
        victim.world.pass(.seconds(6))
        for line in lines { #expect(await line.isDropped()) }
        try await victim.world.raw(to: victim.desk).connect()
    }

    @Test func oneAddressGetsNoMoreThanItsShare() async throws {
        let victim = try await Victim(.tcp)
        var lines: [RawPeer] = []
        for _ in 0..<7 { lines.append(try await victim.world.raw(to: victim.desk)) }
        for line in lines { try await line.connect() }
        let late = try await victim.world.raw(to: victim.desk)
        #expect(try await late.next() == .bye(.busy, "too many connections"))
        lines.removeAll()
        await victim.check("seven from one address")
    }

    @Test func aThousandInvitationsFromOnePeerAreOneAtATime() async throws {
        let world = World(.memory)
        let desk = world.peer("Desk", accepts: false)
        let invitations = Recorder(desk.invitations)
        let id = Peer.ID.random()
        var last: RawPeer?
        for _ in 0..<1_000 {
            let raw = try await world.raw(to: desk, id: id)
            raw.send(raw.hello, .invite(context: []))
            last = raw
        }
        #expect(invitations.elements.count == 1_000)
        for invitation in invitations.elements { invitation.accept() }
        world.pass()
        #expect(Recorder(desk.connections).elements.last?.count == 1)
        #expect(try await last?.next(.accept) == .accept)
    }
}
