import Foundation
import Testing
import WeirTestSupport
import WeirTesting

@testable import WeirPeers

@Suite(.timeLimit(.minutes(5))) struct FileTests {
    // MARK: Contract 4, for files

    @Test(arguments: Medium.allCases, [0, 1, 262_144, 262_145, 3_000_001])
    func aFileArrivesByteForByteWithItsProgress(medium: Medium, size: Int) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let (there, here) = (try Folder(), try Folder())
        var seed = Seeded(UInt64(size))
        let bytes = seed.bytes(size)
        let file = try here.file("photo.jpg", bytes)
        let events = Recorder(phone.receive(filesInto: there.url))
        let sending = Recorder(desk.send(file: file, to: phone.peer))
        world.pass(.seconds(1))
        #expect(await sending.end() == nil)
        let progress = sending.elements
        #expect(progress.first == TransferProgress(bytes: 0, total: size))
        #expect(progress.last == TransferProgress(bytes: size, total: size))
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytes < $1.bytes })
        let log = await events.wait { if case .finished = $0.elements.last { true } else { false } }
        guard case .finished(let incoming, let url) = log.elements.last else { return }
        #expect(incoming.peer == desk.peer && incoming.name == "photo.jpg" && incoming.size == size)
        #expect(try fileContents(url) == Data(bytes))
        #expect(there.names == ["photo.jpg"])
        #expect(url.deletingLastPathComponent().path == there.url.path)
    }

    @Test(arguments: Medium.allCases)
    func filesGoBothWaysBesideMessages(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let (deskFolder, phoneFolder, here) = (try Folder(), try Folder(), try Folder())
        let arrived = [
            Recorder(desk.receiveFiles(into: deskFolder.url)), Recorder(phone.receiveFiles(into: phoneFolder.url)),
        ]
        let received = Recorder(phone.receive(Int.self))
        var seed = Seeded(3)
        let contents = (0..<4).map { _ in seed.bytes(600_000) }
        var commands: [Recorder<TransferProgress, PeerError>] = []
        for (index, content) in contents.enumerated() {
            let file = try here.file("\(index).bin", content)
            let (from, to) = index % 2 == 0 ? (desk, phone) : (phone, desk)
            commands.append(Recorder(from.send(file: file, name: "same name.bin", to: to.peer)))
        }
        let numbers = (0..<100).map { Recorder(desk.send($0, to: phone.peer)) }
        world.pass(.seconds(2))
        for command in commands { #expect(await command.end() == nil) }
        for command in numbers { #expect(await command.end() == nil) }
        #expect(received.elements.map(\.value) == Array(0..<100))
        for (side, recorder) in arrived.enumerated() {
            let files = await recorder.count(2)
            let got = try Set(files.map { try fileContents($0.url) })
            #expect(got == Set([contents[1 - side], contents[3 - side]].map { Data($0) }))
        }
        // Nothing that was there is overwritten.
        #expect(deskFolder.names == ["same name 2.bin", "same name.bin"])
    }

    @Test(arguments: Medium.allCases)
    func withoutAReceiverAFileIsDeclined(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let file = try Folder().file("a", [1])
        // The folder has gone, and the file with it.
        guard case .io(let what) = await world.run(desk.send(file: file, to: phone.peer)).end() else {
            Issue.record("a file that is not there")
            return
        }
        #expect(what.contains("No such file"))
        let folder = try Folder()
        let sending = world.run(desk.send(file: try folder.file("a", [1]), to: phone.peer))
        #expect(await sending.end() == .declined("nobody receives files here"))
        guard case .io = await world.run(desk.send(file: folder.url, to: phone.peer)).end() else {
            Issue.record("a folder")
            return
        }
        let missing = Recorder(phone.receive(filesInto: folder.url.appendingPathComponent("none")))
        world.pass()
        guard case .io = await world.run(desk.send(file: try folder.file("b", [1]), to: phone.peer)).end() else {
            Issue.record("a directory that is not there")
            return
        }
        guard case .failed(_, .io(let text)) = await missing.count(1).first else {
            Issue.record("the receiver hears of it")
            return
        }
        #expect(text.contains("cannot receive into"))
    }

    // MARK: Contract 6, for files

    @Test(arguments: [true, false])
    func cancelledHalfWayNothingIsLeft(bySender: Bool) async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let (there, here) = (try Folder(), try Folder())
        let file = try here.file("big", [UInt8](repeating: 5, count: 4 << 20))
        let events = Recorder(phone.receive(filesInto: there.url))
        let sending = Recorder(desk.send(file: file, to: phone.peer))
        while events.elements.count < 4 { world.pass(.milliseconds(1)) }
        #expect(there.names.count == 1)
        if bySender { sending.cancel() } else { events.cancel() }
        world.pass()
        #expect(there.names == [])
        if bySender {
            guard case .failed(let incoming, .cancelled) = events.elements.last else {
                Issue.record("\(events.elements.suffix(1))")
                return
            }
            #expect(incoming.name == "big")
        } else {
            #expect(await sending.end() == .cancelled)
        }
        #expect(await world.send(desk.send("still connected", to: phone.peer)) == nil)
    }

    @Test(arguments: Medium.allCases)
    func aConnectionThatEndsTakesItsFilesWithIt(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let (there, here) = (try Folder(), try Folder())
        let file = try here.file("big", [UInt8](repeating: 5, count: 24 << 20))
        // Inside the fourth event, so that the file is on its way however slow this thread is.
        let count = Tally()
        let events = Recorder(
            phone.receive(filesInto: there.url).map { event in
                count.add()
                if count.value == 4 { desk.disconnect(from: phone.peer) }
                return event
            })
        let sending = Recorder(desk.send(file: file, to: phone.peer))
        if medium == .memory { while events.elements.count < 4 { world.pass(.milliseconds(1)) } }
        _ = await events.count(4)
        world.pass()
        #expect(await sending.end() == .cancelled)
        let log = await events.wait { if case .failed = $0.elements.last { true } else { false } }
        #expect(log.elements.count < 200)
        #expect(there.names == [])
    }

    @Test func aFileThatShrinksMeanwhileIsAnError() async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let (there, here) = (try Folder(), try Folder())
        let file = try here.file("log", [UInt8](repeating: 5, count: 4 << 20))
        let events = Recorder(phone.receive(filesInto: there.url))
        let sending = Recorder(desk.send(file: file, to: phone.peer))
        while events.elements.count < 2 { world.pass(.milliseconds(1)) }
        try FileHandle(forWritingTo: file).truncate(atOffset: 1_000)
        world.pass(.seconds(1))
        guard case .io(let what) = await sending.end() else {
            Issue.record("\(sending.log)")
            return
        }
        #expect(what.contains("became shorter"))
        guard case .failed(_, .io) = events.elements.last else {
            Issue.record("\(events.elements.suffix(1))")
            return
        }
        #expect(there.names == [])
    }

    @Test(arguments: [
        "../../etc/x", "..", ".", "", "a/b", "a\\b", "nul\u{0}", "line\n", String(repeating: "n", count: 256),
    ])
    func aNameThatLeadsElsewhereIsRefusedBeforeItIsSent(name: String) async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let (there, here) = (try Folder(), try Folder())
        let events = Recorder(phone.receive(filesInto: there.url))
        let sending = world.run(desk.send(file: try here.file("a", [1]), name: name, to: phone.peer))
        guard case .malformed = await sending.end() else {
            Issue.record("\(sending.log)")
            return
        }
        #expect(events.elements.isEmpty && there.names.isEmpty)
    }

    @Test func takenNamesGetANumberThatFits() {
        #expect(FileName.variant("notes.txt", 1) == "notes.txt")
        #expect(FileName.variant("notes.txt", 2) == "notes 2.txt")
        #expect(FileName.variant(".profile", 3) == ".profile 3")
        #expect(FileName.variant("archive.tar.gz", 2) == "archive.tar 2.gz")
        let long = String(repeating: "é", count: 127)
        #expect(FileName.fault(in: long) == nil)
        #expect(FileName.variant(long, 2).utf8.count <= 255)
    }

    @Test func progressReadsWell() {
        #expect(TransferProgress(bytes: 3_140_000, total: 8_000_000).description == "3.1 of 8.0 MB")
        #expect(TransferProgress(bytes: 12, total: 999).description == "12 of 999 B")
        #expect(TransferProgress(bytes: 0, total: 0).fraction == 1)
        #expect(TransferProgress(bytes: 1_500, total: 2_000_000_000).description == "0.0 of 2.0 GB")
    }
}
