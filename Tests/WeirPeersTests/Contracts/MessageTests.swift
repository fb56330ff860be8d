import Foundation
import Testing
import WeirSupport
import WeirTestSupport
import WeirTesting

@testable import WeirPeers

private struct Photo: Codable, Hashable {
    var title: String
    var size: [Int]
}

@Suite(.timeLimit(.minutes(5))) struct MessageTests {
    // MARK: Contract 4: everything arrives, in both directions at once

    @Test(arguments: Medium.allCases)
    func everyKindArrivesInBothDirections(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let photo = Photo(title: "Köln 🌉", size: [3, 2])
        var seed = Seeded(7)
        let big = Data(seed.bytes(3_000_000))
        let pairs = [(desk, phone), (phone, desk)]
        let strings = pairs.map { Recorder($0.1.receive(String.self)) }
        let photos = pairs.map { Recorder($0.1.receive(Photo.self)) }
        let values = pairs.map { Recorder($0.1.receive(JSONValue.self)) }
        let data = pairs.map { Recorder($0.1.receive(Data.self)) }
        let commands = pairs.flatMap { from, to in
            [
                Recorder(from.send("", to: to.peer)), Recorder(from.send("hello", to: to.peer)),
                Recorder(from.send(photo, to: to.peer)), Recorder(from.send(big, to: to.peer)),
                Recorder(from.send(Data(), to: to.peer)),
            ]
        }
        world.pass()
        for command in commands { #expect(await command.end() == nil) }
        for (index, (from, _)) in pairs.enumerated() {
            #expect(
                strings[index].elements == [
                    Message(value: "", peer: from.peer), Message(value: "hello", peer: from.peer),
                ])
            #expect(photos[index].elements == [Message(value: photo, peer: from.peer)])
            #expect(values[index].elements.first?.value["title"]?.string == "Köln 🌉")
            #expect(data[index].elements.map(\.value) == [big, Data()])
        }
    }

    @Test func theAsyncFormsActNow() async throws {
        let world = World(.tcp)
        let desk = world.peer("Desk")
        let phone = world.peer("Phone")
        let port = try #require((phone.session as? NetworkSession)?.port)
        let connection = try await desk.connect(host: "127.0.0.1", port: port)
        #expect(connection.peer == phone.peer)
        let received = Recorder(phone.receive(String.self))
        try await desk.send("now", to: phone.peer)
        #expect(received.elements.map(\.value) == ["now"])
        try await desk.send(Photo(title: "", size: []), to: phone.peer)
        try await desk.send(Data([1]), to: phone.peer)
        await phone.close(within: .seconds(1))
        let lost = await Recorder(desk.connections).wait { $0.elements.last == [] }
        #expect(lost.elements.last == [])
        await #expect(throws: PeerError.notConnected(phone.peer)) { try await desk.send("late", to: phone.peer) }
    }

    @Test(arguments: Medium.allCases)
    func oneSenderKeepsItsOrder(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let received = Recorder(phone.receive(Int.self))
        let commands = (0..<2_000).map { Recorder(desk.send($0, to: phone.peer)) }
        world.pass(.seconds(1))
        for command in commands { #expect(await command.end() == nil) }
        #expect(received.elements.map(\.value) == Array(0..<2_000))
    }

    @Test(arguments: Medium.allCases)
    func aMessageOverTheLimitFailsHereAndNothingElse(medium: Medium) async throws {
        let world = World(medium)
        var small = PeerLimits()
        small.message = 1_000
        let desk = world.peer("Desk")
        let phone = world.peer("Phone", limits: small)
        try await world.connect(desk, phone)
        let error = await world.send(desk.send(Data(count: 1_001), to: phone.peer))
        #expect(error == .tooLarge(what: "the message", bytes: 1_001, limit: 1_000))
        #expect(error?.description == "the message has 1001 bytes, the limit is 1000; send less at once, or a file")
        #expect(await world.send(desk.send(Data(count: 1_000), to: phone.peer)) == nil)
        let context = String(repeating: "x", count: 70_000)
        let other = world.peer("Other")
        guard case .tooLarge = await world.run(desk.connect(to: other.peer, context: context)).end() else {
            Issue.record("a context of 70,000 bytes")
            return
        }
    }

    @Test func cancelWithdrawsWhatHasNotLeft() async throws {
        let world = World(.memory)
        var roomy = PeerLimits()
        roomy.queue = 16 << 20
        let (desk, phone) = try await world.pair(limits: roomy)
        let received = Recorder(phone.receive(Data.self))
        // The window holds one of these; the others wait.
        let commands = (0..<3).map { Recorder(desk.send(Data(repeating: UInt8($0), count: 4 << 20), to: phone.peer)) }
        commands[1].cancel()
        world.pass(.seconds(1))
        #expect(await commands[0].end() == nil)
        #expect(await commands[2].end() == nil)
        #expect(received.elements.map { $0.value.first } == [0, 2])
        #expect(commands[1].log.completion == nil)
    }

    // MARK: Contract 6, for messages: a slow reader

    @Test(arguments: Medium.allCases)
    func contract6SixtyFourMebibytesThroughASlowReader(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let tablet = world.peer("Tablet")
        try await world.connect(tablet, phone)
        var slow = phone.receive(Data.self).values(prefetch: 1).makeAsyncIterator()
        let piece = { (index: Int) in Data(repeating: UInt8(index), count: 1 << 20) }
        let start = { (index: Int) in
            let command = Recorder(desk.send(piece(index), to: phone.peer))
            world.pass(.seconds(1))
            return command
        }
        // One is taken and three are acknowledged: a fifth does not fit into what is left of the window.
        for index in 0..<4 { #expect(await start(index).end() == nil) }
        var waiting = (4..<7).map(start)
        let limit = (4 << 20) + 64
        let error = await start(7).end()
        #expect(
            error == .tooLarge(what: "what waits for Phone, with this message,", bytes: (4 << 20) + 256, limit: limit))
        #expect(waiting.allSatisfy { $0.log.completion == nil })
        #expect(await world.send(phone.send("the other way is free", to: desk.peer)) == nil)
        #expect(await world.send(tablet.send("and others are, too", to: phone.peer)) == nil)
        for index in 0..<64 {
            let message = try #require(await slow.next())
            #expect(message.value == piece(index))
            world.pass(.seconds(1))
            // Only what has surely left: the reader has one more message in hand where it reads ahead.
            guard index > 0, !waiting.isEmpty else { continue }
            #expect(await waiting.removeFirst().end() == nil)
            if index + 6 < 64 { waiting.append(start(index + 6)) }
        }
        #expect(waiting.isEmpty)
    }

    // MARK: Contract 7: one bad message

    @Test(arguments: Medium.allCases)
    func oneBadMessageIsAnErrorValueAndTheNextArrives(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let photos = Recorder(phone.receive(Photo.self))
        let strings = Recorder(phone.receive(String.self))
        let results = Recorder(phone.results(of: Photo.self))
        let errors = Recorder(phone.errors)
        let bad: [(PeerMessageKind, Data)] = [
            (.json, Data("{\"title\":".utf8)), (.json, Data(repeating: UInt8(ascii: "["), count: 513)),
            (.json, Data("{\"title\":\"no size\"}".utf8)), (.string, Data([0xFF, 0xFE])),
        ]
        for (kind, bytes) in bad { #expect(await world.send(desk.session.send(kind, bytes, to: phone.peer)) == nil) }
        let photo = Photo(title: "good", size: [1])
        #expect(await world.send(desk.send(photo, to: phone.peer)) == nil)
        #expect(await world.send(desk.send("good", to: phone.peer)) == nil)
        #expect(photos.elements.map(\.value) == [photo])
        #expect(strings.elements.map(\.value) == ["good"])
        #expect(errors.elements.count == 4)
        for error in errors.elements {
            guard case .malformed(let what) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(what.contains("Desk"))
        }
        #expect(results.elements.count == 4)
        #expect(try results.elements.last?.value.get() == photo)
    }

    @Test func jsonBombsAtEveryDepthAreErrorValues() async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let results = Recorder(phone.results(of: JSONValue.self))
        let depths = Array(1...1_024) + [100_000]
        for depth in depths {
            for opening in ["[", "{\"a\":"] {
                let bomb = Data(String(repeating: opening, count: depth).utf8)
                _ = Recorder(desk.session.send(.json, bomb, to: phone.peer))
            }
            world.pass()
        }
        #expect(await world.send(desk.send(["fine": 1], to: phone.peer)) == nil)
        #expect(results.elements.count == depths.count * 2 + 1)
        let good = results.elements.filter { if case .success = $0.value { true } else { false } }
        #expect(good.count == 1)
    }
}
