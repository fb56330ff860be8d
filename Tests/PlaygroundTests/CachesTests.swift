import Foundation
import Testing
import WeirCaching
import WeirTestSupport

/// The `cache` command as a user runs it.
@Suite(.ownThread) struct CachesTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    @Test func replaySaysHitsAndTimeForEachCapacity() throws {
        _ = try folder.file("trace", "a\nb\na\n\nc\nb\na\nd\na\n".utf8)
        let ran = try run(["replay", "trace", "--capacity", "2,10"])
        #expect(ran.code == 0 && ran.errors == "")
        let lines = ran.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("capacity 10: 50.00 % hits, 4 of 8; 4 misses cost 4; "))
        #expect(lines[1].wholeMatch(of: /.*; \d+ ns a request/) != nil)
        let shares = try run(["replay", "trace"])
        #expect(
            shares.output.split(separator: "\n").map { $0.prefix(11) } == Array(repeating: "capacity 1:", count: 4) + [
                "capacity 2:"
            ])
    }

    @Test func replayCountsBytesWhereTheTraceHasThem() throws {
        _ = try folder.file("trace", "a 100\nb 5000\na 100\nb 5000\n".utf8)
        let ran = try run(["replay", "trace", "--capacity", "1000"])
        #expect(ran.output.hasPrefix("capacity 1000: 25.00 % hits, 1 of 4; 3 misses cost 10100; "))
    }

    @Test func checkListsVerifiesAndRepairs() async throws {
        let place = folder.url.appending(path: "cache")
        let level = DiskLevel<String, Data>(directory: place, limit: 100_000)
        for key in ["one", "two", "three"] { try await level.set(Data(key.utf8), forKey: key) }
        try await level.set(
            CacheEntry(Data(), expiry: Date(timeIntervalSince1970: 4_102_444_800)), forKey: "a\u{0}b")
        #expect(try run(["check", "cache"]).code == 0)
        let records = folder.files.filter { $0.hasPrefix(place.path) }.sorted()
        #expect(truncate(try #require(records.first), 20) == 0)
        _ = try folder.file("cache/.999999999-1.tmp", [1])
        _ = try folder.file("cache/notes", [1])
        let ran = try run(["check", "cache"])
        #expect(ran.code == 1)
        #expect(ran.output.contains("damaged: it is shorter than a record\n"))
        #expect(ran.output.contains(".999999999-1.tmp  left behind by a writer that is gone\n"))
        #expect(ran.output.contains("notes  not a disk level's\n"))
        #expect(ran.output.contains("3 records of ") && ran.output.hasSuffix("bytes, 2 faults, 1 other files\n"))
        let repaired = try run(["check", "cache", "--repair"])
        #expect(repaired.code == 0 && repaired.output.hasSuffix("deleted 2 of 2 faults\n"))
        let after = try run(["check", "cache"])
        #expect(after.code == 0 && after.output.hasSuffix("0 faults, 1 other files\n"))
        #expect(folder.files.count { $0.hasPrefix(place.path) } == 4)
    }

    @Test func checkShowsKeysAndTheirEnd() async throws {
        let level = DiskLevel<String, Data>(directory: folder.url.appending(path: "cache"), limit: 100_000)
        try await level.set(Data(count: 7), forKey: "photo/1")
        try await level.set(
            CacheEntry(Data(), expiry: Date(timeIntervalSince1970: 4_102_444_800)), forKey: "a\u{0}b")
        let output = try run(["check", "cache"]).output
        #expect(output.contains("…  \"photo/1\": 7 bytes\n"))
        #expect(output.contains("…  0x610062: 0 bytes, expires 2100-01-01T00:00:00Z\n"))
    }

    @Test(arguments: [
        ([], Int32(2), "swift run Playground cache replay TRACE"), (["mend"], 2, "cache has no command mend"),
        (["replay"], 2, "takes a trace"), (["replay", "none"], 1, "none cannot be read"),
        (["replay", "trace", "--size", "3"], 2, "not: --size 3"),
        (["replay", "trace", "--capacity"], 2, "not: --capacity"),
        (["replay", "trace", "--capacity", "3,,4"], 2, "not: 3,,4"),
        (["replay", "trace", "--capacity", "0"], 2, "not: 0"),
        (["replay", "empty"], 1, "empty has no key"), (["replay", "wrong"], 1, "wrong:2: a line is a key"),
        (["replay", "negative"], 1, "negative:1: a line is a key"), (["replay", "packed"], 1, "packed is packed"),
        (["check"], 2, "takes a folder"), (["check", "none"], 1, "open none: No such file or directory (2)"),
        (["check", "trace"], 1, "opendir trace: Not a directory (20)"), (["check", ".", "--mend"], 2, "not: --mend"),
    ])
    func whatCannotWorkIsSaid(arguments: [String], code: Int32, words: String) throws {
        for (name, text) in [("trace", "a\n"), ("empty", "\n \n"), ("wrong", "a\na b c\n"), ("negative", "a -1\n")] {
            _ = try folder.file(name, text.utf8)
        }
        _ = try folder.file("packed", [0x1F, 0x8B, 8])
        let ran = try run(arguments)
        #expect(ran.code == code && ran.output == "")
        #expect(ran.errors.contains(words), "\(ran.errors)")
    }

    private func run(_ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
        try runPlayground(["cache"] + arguments, in: folder)
    }
}
