import Foundation
import Testing
import WeirSupport
import WeirTestSupport

@testable import Photos

// The whole house as a program: two processes, a disk cache that outlives them, and bad input of every kind.

/// The second search comes late enough for the first to have its answer, on a busy machine and under a sanitizer too.
private let queries = "0 c\n20 cat\n4000 hills\n"

@Suite(.serialized) struct HouseTests {
    @Test func picturesReachTheSecondProcessWholeAndASecondRunHitsTheDisk() async throws {
        let folder = try Folder()
        let cache = folder.url.appending(path: "cache").path
        let file = try folder.file("queries.txt", queries.utf8).path
        for (source, hits) in [("network", "hits 0"), ("disk", "hits 3")] {
            let into = folder.url.appending(path: source)
            try FileManager.default.createDirectory(at: into, withIntermediateDirectories: true)
            let receiver = try Program("--receive", "0", "--count", "3", "--into", into.path)
            let port = try #require(await receiver.output(/on port (\d+),/)).1
            let sender = try Program("--headless", "--queries", file, "--cache", cache, "--send", String(port))
            let sent = await sender.result()
            let got = await receiver.result()
            #expect(sent.code == 0, "\(sent.errors)")
            #expect(got.code == 0, "\(got.errors)")
            for id in ["cat-window", "cat-wall", "red-hills"] {
                let bytes = try Data(contentsOf: Samples.file("images/\(id)-small.jpg"))
                let line = "\(id).jpg \(bytes.count) bytes \(SHA256Hasher.hex(bytes))"
                #expect(sent.output.contains("sent   \(line)"), "\(sent.output)")
                #expect(got.output.contains("got    \(line)"), "\(got.output)")
                #expect(try Data(contentsOf: into.appending(path: "\(id).jpg")) == bytes)
                #expect(
                    sent.output.contains("opened \(id), \(bytes.count) bytes from \(source), signed by the gallery"))
            }
            #expect(sent.output.contains("disk:   \(hits)"), "\(sent.output)")
        }
    }

    @Test func aWrongCallAndABrokenQueriesFileAreOneClearLine() async throws {
        let folder = try Folder()
        let broken = try folder.file("broken.txt", "soon cat\n".utf8).path
        let cases: [(Program, Int32, String)] = [
            (try Program("--headless", "--queries", "/nowhere/q.txt"), 1, "/nowhere/q.txt cannot be read"),
            (try Program("--headless", "--queries", broken), 1, "broken.txt, line 1: \"soon cat\""),
            (try Program("--sideways"), 2, "there is no option \"--sideways\""),
            (try Program("--headless", "--host", "nonsense"), 1, "\"nonsense\" is not an address"),
        ]
        for (program, code, line) in cases {
            let result = await program.result()
            #expect(result.code == code)
            #expect(result.errors.contains(line), "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
    }

    @Test func aPortInUseIsOneClearLine() async throws {
        let taken = try HTTPServer(port: 0) { _ in .text(200, "") }
        defer { taken.close() }
        let port = try #require(taken.address.split(separator: ":").last)
        let folder = try Folder()
        let file = try folder.file("queries.txt", "0 cat\n".utf8).path
        let server = await (try Program("--headless", "--queries", file, "--port", String(port))).result()
        #expect(server.code == 1 && server.errors.contains("port \(port) on 127.0.0.1 is in use"), "\(server.errors)")
        let receiver = await (try Program("--receive", String(port))).result()
        #expect(receiver.code == 1 && receiver.errors.contains("port \(port)"), "\(receiver.errors)")
        let sender = await (try Program("--headless", "--queries", file, "--send", "1")).result()
        #expect(sender.code == 1 && sender.errors.contains("127.0.0.1:1 does not take pictures"), "\(sender.errors)")
    }

    @Test(arguments: [
        (Fault.status500, "answered with status 500"), (.halfBody, "body"), (.deep, "depth"), (.notJSON, "JSON"),
    ])
    func aServerThatMisbehavesIsOneLineForEachFailureAndTheSearchGoesOn(fault: Fault, words: String) async throws {
        let server = try HTTPServer.answering { fault.answer($0, at: $1) }
        defer { server.close() }
        let result = try await Program.headless("0 cat\n4000 good\n", "--host", server.address)
        #expect(result.code == 1)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.output.contains("found  0 photos for \"good\""), "\(result.output) \(result.errors)")
    }

    @Test func aCacheFolderThatCannotBeUsedIsSaidAndThePicturesStillCome() async throws {
        let folder = try Folder()
        let file = try folder.file("queries.txt", "0 hills\n".utf8).path
        let inTheWay = try folder.file("cache", "a file, not a folder".utf8).path
        let result = await (try Program("--headless", "--queries", file, "--cache", inTheWay)).result()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("\(inTheWay) cannot be used"), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(
            result.output.contains("opened red-hills") && result.output.contains("disk:   none"), "\(result.output)")
        // A folder that even root cannot write to.
        let fixed = await (try Program("--headless", "--queries", file, "--cache", "/proc/weir-photos")).result()
        #expect(fixed.code == 0 && fixed.errors.contains("/proc/weir-photos cannot be used"), "\(fixed.errors)")
    }
}
