import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

/// What a disk level meets over the years: old records, clocks that jump, a full disk, and very many operations.
@Suite(.ownThread) struct DiskWearTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    func store(limit: Int = 100_000, in directory: String? = nil) -> DiskStore {
        DiskStore(directory: directory ?? folder.path, limit: limit, domain: "test", durable: false)
    }

    func record(_ key: UInt8, _ size: Int = 100) -> DiskRecord {
        DiskRecord(key: [key], value: Data(repeating: key, count: size), created: 0, expires: nil)
    }

    func holds(_ store: DiskStore, _ record: DiskRecord) -> Bool {
        if case .record(record) = store.read(record.key, at: 0) { true } else { false }
    }

    /// The file was made from the description of the format alone, and stays as it is.
    @Test func aRecordOfVersion1IsRead() async throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/version-1")
        let copy = folder.url.appending(path: "copy")
        try FileManager.default.copyItem(at: fixtures.standardized, to: copy)
        let level = DiskLevel<String, Data>(
            directory: copy, limit: 1_000, now: { Date(timeIntervalSince1970: 1_800_000_000) })
        let entry = try await level.entry(forKey: "weir/e\u{301}")
        #expect(String(decoding: entry.value, as: UTF8.self) == "Written by version 1 and read for ever.\n")
        #expect(entry.expiry == Date(timeIntervalSince1970: 4_102_444_800))
        #expect(entry.stored?.timeIntervalSince1970.rounded() == 1_750_000_000)
        #expect(level.count == 1 && level.used == 95)
    }

    /// A wall clock that is set back and forth makes entries end late or early, and never loses the account.
    @Test func aClockThatJumpsEndsEntriesByItsHands() async throws {
        let clock = HandClock()
        let level = DiskLevel<String, Data>(directory: folder.url, limit: 1_000, now: clock.now)
        clock.set(1_000)
        try await level.set(
            CacheEntry(Data("a".utf8), expiry: Date(timeIntervalSince1970: 1_060)), forKey: "a")
        for moment in [-5_000, 0, 1_059, 500.0] {
            clock.set(moment)
            #expect(try await level.value(forKey: "a") == Data("a".utf8))
        }
        clock.set(9e18)
        let text = await failure { () async throws(CacheError) in try await level.value(forKey: "a") }
        #expect(text == "found, but expired")
        clock.set(0)
        #expect(level.used == 0 && level.count == 0 && folder.files.isEmpty)
    }

    /// Files whose time lies years before or after now, as after a jump of the system's clock.
    @Test(arguments: [0, 1, 4_000_000_000]) func filesOfAnotherTimeAreFilesLikeAnyOther(second: Int) throws {
        let old = store()
        for key in 0..<5 { try old.write(record(UInt8(key))) }
        for path in folder.files {
            var times = [timespec(tv_sec: second, tv_nsec: 0), timespec(tv_sec: second, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        }
        let size = DiskRecord.fileSize(key: 1, value: 100)
        let new = store(limit: 5 * size)
        for key in 0..<5 { #expect(holds(new, record(UInt8(key)))) }
        try new.write(record(9))
        #expect(holds(new, record(9)) && new.used == folder.bytes && new.used <= 5 * size)
        #expect(!holds(new, record(0)) && holds(new, record(4)))
    }

    /// A real disk with no room left, where the test may have one: a small one of its own, which goes with a child.
    @Test(.enabled(if: SmallDisk.isToBeHad, "only root on Linux may mount a small disk"))
    func aFullDiskIsAnErrorAndTheStoreGoesOn() throws {
        let disk = try #require(SmallDisk(at: folder.path))
        let store = store(limit: 10_000_000, in: disk.path)
        var written = 0
        var failure: CacheError?
        for key in 0..<100 where failure == nil {
            do throws(CacheError) {
                try store.write(record(UInt8(key), 10_000))
                written += 1
            } catch {
                failure = error
            }
        }
        guard case .writeFailed(let cause as DiskFailure) = failure else {
            Issue.record("after \(written) writes: \(String(describing: failure))")
            return
        }
        #expect(cause.code == ENOSPC && written > 5 && written < 100)
        #expect(store.count == written)
        for key in 0..<written { #expect(holds(store, record(UInt8(key), 10_000))) }
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
        for key in 0..<3 { try store.remove([UInt8(key)]) }
        try store.write(record(200, 10_000))
        #expect(holds(store, record(200, 10_000)))
    }

    @Test(.enabled(if: access("/proc/self/fd", F_OK) == 0, "the system does not show open files"))
    func openFilesStayAsManyAfter100000Operations() throws {
        let store = store(limit: 3_000)
        func open() throws -> Int {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            let files = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            return files.count { $0.hasPrefix(folder.path) }
        }
        try store.write(record(0))
        let before = try open()
        for round in 0..<100_000 {
            switch round % 10 {
            case 0: try store.write(record(UInt8(round / 10 % 40), 50))
            case 1: try store.remove([UInt8(round / 7 % 40)])
            default: _ = store.read([UInt8(round % 40)], at: 0)
            }
        }
        #expect(try open() == before && before <= 1)
        #expect(store.used == folder.bytes && store.used <= 3_000)
        let statistics = store.statistics
        #expect(statistics.hits + statistics.misses == 80_000 && statistics.hits > 10_000)
    }
}

/// A disk of 256 KiB that only a child of ours sees, and we by way of it.
private final class SmallDisk {
    /// Whether a child may mount one: not every machine lets root do that.
    static let isToBeHad = (try? Folder()).flatMap { SmallDisk(at: $0.path) } != nil

    let path: String
    private let process: Process
    private let input = Pipe()

    init?(at place: String) {
        guard geteuid() == 0, access("/usr/bin/unshare", X_OK) == 0 else { return nil }
        let output = Pipe()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = [
            "-m", "sh", "-c", "mount -t tmpfs -o size=256k tmpfs \"$0\" && echo mounted && read end", place,
        ]
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        path = "/proc/\(process.processIdentifier)/root\(place)"
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "mounted\n" else {
            process.waitUntilExit()
            return nil
        }
    }
    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
