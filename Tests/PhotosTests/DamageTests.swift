import Foundation
import Testing
import WeirTestSupport

@testable import Photos

// What breaks in the middle of a run: a picture, a record on the disk, the process that receives.

@Suite(.serialized) struct DamageTests {
    @Test func aPictureThatFailsIsOneLineAndTheOthersCome() async throws {
        let server = try HTTPServer.answering { Fault.pictures.answer($0, at: $1) }
        defer { server.close() }
        let result = try await Program.headless("0 cat\n", "--host", server.address)
        #expect(result.code == 1)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(result.errors)")
        #expect(
            lines.first?.contains("photos://photo/broken was not opened") == true && lines[0].contains("500"),
            "\(result.errors)")
        #expect(lines.last?.contains("photos://photo/half was not opened") == true, "\(result.errors)")
        for id in ["first", "last"] {
            #expect(result.output.contains("opened \(id), 2000 bytes from network"), "\(result.output)")
        }
        #expect(!result.output.contains("opened half") && !result.output.contains("opened broken"), "\(result.output)")
    }

    @Test func aDamagedRecordOnTheDiskIsFetchedAgain() async throws {
        let folder = try Folder()
        let file = try folder.file("queries.txt", "0 cat\n".utf8).path
        let cache = folder.url.appending(path: "cache")
        for (run, source, hits) in [(1, "network", "hits 0"), (2, "network", "hits 0"), (3, "disk", "hits 2")] {
            if run == 2 { #expect(try damageAll(in: cache) >= 2) }
            let result = await (try Program("--headless", "--queries", file, "--cache", cache.path)).result()
            #expect(result.code == 0, "\(result.errors)")
            for id in ["cat-window", "cat-wall"] {
                let count = try Data(contentsOf: Samples.file("images/\(id)-small.jpg")).count
                #expect(result.output.contains("opened \(id), \(count) bytes from \(source)"), "\(result.output)")
            }
            #expect(result.output.contains("disk:   \(hits)"), "\(result.output)")
        }
    }

    /// Flips a byte in the middle of every file, and answers how many there are.
    private func damageAll(in folder: URL) throws -> Int {
        var count = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let url = folder.appending(path: name)
            guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else { continue }
            var bytes = try Data(contentsOf: url)
            guard !bytes.isEmpty else { continue }
            bytes[bytes.count / 2] ^= 0xFF
            try bytes.write(to: url)
            count += 1
        }
        return count
    }

    @Test func aReceiverThatDiesIsOneLineForEachPictureThatWasNotSent() async throws {
        let folder = try Folder()
        let receiver = try Program("--receive", "0", "--into", folder.url.path)
        let port = try #require(await receiver.output(/on port (\d+),/)).1
        // The later pictures wait until the receiver is gone.
        let gone = DispatchSemaphore(value: 0)
        let server = try HTTPServer.answering { request, address in
            if request.path == "/search/photos" { return Fault.photos(["first", "second", "third"], at: address) }
            if request.path == "/second" { _ = gone.wait(timeout: .now() + 15) }
            return Fault.picture(request.path)
        }
        defer { server.close() }
        let sender = try Program(
            "--headless", "--queries", try folder.file("queries.txt", "0 cat\n".utf8).path, "--host", server.address,
            "--cache", folder.url.appending(path: "cache").path, "--send", String(port))
        let got = await receiver.output(/got +first.jpg 2000 bytes/)
        receiver.end()
        #expect(await receiver.result().code == 137)
        gone.signal()
        let sent = await sender.result()
        #expect(got != nil && sent.code == 1, "\(sent.output) \(sent.errors)")
        // Beside the notice that this connection is not encrypted.
        let lines = sent.errors.split(separator: "\n").filter { $0.contains("was not sent") }
        // The first is whole there, but its receipt may have died with the receiver.
        let first = sent.output.contains("sent   first.jpg") ? 0 : 1
        #expect(lines.count == 2 + first, "\(sent.errors)")
        for id in ["second", "third"] {
            #expect(lines.count { $0.contains("\(id).jpg was not sent: ") } == 1, "\(sent.errors)")
            #expect(sent.output.contains("opened \(id)"), "\(sent.output)")
        }
    }

    @Test func theSameResultAgainComesFromMemory() async throws {
        let result = try await Program.headless("0 cat\n2000 CAT\n")
        #expect(result.code == 0, "\(result.errors)")
        for id in ["cat-window", "cat-wall"] {
            for source in ["network", "memory"] {
                #expect(
                    result.output.matches(of: try Regex("opened \(id), \\d+ bytes from \(source)")).count == 1,
                    "\(result.output)")
            }
        }
        #expect(result.output.contains("memory: hits 2"), "\(result.output)")
        #expect(result.output.contains("disk:   hits 0"), "\(result.output)")
    }
}
