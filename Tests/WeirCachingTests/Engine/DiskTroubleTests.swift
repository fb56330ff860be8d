import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

/// What the disk does to us: each is an error value, and the store goes on.
@Suite(.ownThread) struct DiskTroubleTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    func store(_ files: DiskFiles = DiskFiles(), in directory: String? = nil) -> DiskStore {
        DiskStore(
            directory: directory ?? folder.path, limit: 100_000, domain: "test", durable: false, files: files)
    }

    let record = DiskRecord(key: [1], value: Data("value".utf8), created: 0, expires: nil)

    func holds(_ store: DiskStore) -> Bool { if case .record(record) = store.read([1], at: 0) { true } else { false } }

    @Test(arguments: [ENOSPC, EIO, EDQUOT, EROFS]) func aFailedWriteLeavesTheOldValueAndNoFile(code: Int32) throws {
        let isBroken = Noted(false)
        let store = store(
            DiskFiles { file, bytes, count in
                guard isBroken.value else { return write(file, bytes, count) }
                errno = code
                return -1
            })
        try store.write(record)
        isBroken.change { $0 = true }
        var other = record
        other.value = Data("other".utf8)
        let error = #expect(throws: CacheError.self) { try store.write(other) }
        guard case .writeFailed(let cause as DiskFailure) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == code && cause.call == "write")
        #expect("\(CacheError.writeFailed(cause))".contains(String(cString: strerror(code))))
        #expect(holds(store) && folder.files.count == 1)
        isBroken.change { $0 = false }
        try store.write(other)
        #expect(folder.files.count == 1)
    }

    @Test func shortAndInterruptedWritesWriteAll() throws {
        let calls = Noted(0)
        let store = store(
            DiskFiles { file, bytes, count in
                let call = calls.change { calls in
                    calls += 1
                    return calls
                }
                if call % 3 == 0 {
                    errno = EINTR
                    return -1
                }
                return write(file, bytes, min(count, 2))
            })
        try store.write(record)
        #expect(holds(store) && calls.value > 20)
    }

    @Test func aVanishedDirectoryIsAMissAndIsMadeAgain() throws {
        let store = store(in: folder.path + "/a/b")
        #expect(!holds(store))
        try store.write(record)
        #expect(holds(store))
        try FileManager.default.removeItem(atPath: folder.path + "/a")
        #expect(!holds(store) && store.used == 0)
        try store.write(record)
        #expect(holds(store) && store.used == folder.bytes)
    }

    @Test func aDirectoryThatIsAFileIsAnError() throws {
        let path = folder.path + "/file"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try check(store(in: path), code: ENOTDIR)
    }

    @Test(.enabled(if: access("/proc/self", F_OK) == 0, "the system has no /proc"))
    func aReadOnlyDirectoryIsAnError() throws {
        let store = store(in: "/proc/self/net")
        #expect(!holds(store))
        #expect(throws: CacheError.self) { try store.write(record) }
        #expect(!holds(store))
    }

    @Test(.enabled(if: geteuid() != 0, "root reads everything")) func anUnreadableDirectoryIsAnError() throws {
        let path = folder.path + "/closed"
        #expect(mkdir(path, 0) == 0)
        defer { chmod(path, 0o700) }
        try check(store(in: path), code: EACCES)
    }

    private func check(_ store: DiskStore, code: Int32) throws {
        for _ in 0..<2 {
            guard case .failed(let failure) = store.read([1], at: 0) else {
                Issue.record("reading must fail")
                return
            }
            #expect(failure.code == code)
            #expect(throws: CacheError.self) { try store.write(record) }
            #expect(throws: CacheError.self) { try store.clear() }
        }
        #expect(store.statistics.misses == 2)
    }

    /// Contract 6: a reader sees the old or the new value, whole.
    @Test func aReadWhileThreadsOverwriteIsOldOrNew() async throws {
        let store = store()
        let writer = DiskStore(directory: folder.path, limit: 100_000, domain: "test", durable: false)
        try writer.write(DiskRecord(key: [1], value: Data(repeating: 0, count: 5_000), created: 0, expires: nil))
        let torn = Noted(0)
        await race("a disk store", threads: 2, rounds: 1_000) { thread, round in
            if thread == 0 {
                let value = Data(repeating: UInt8(round % 256), count: 5_000 + round)
                if (try? writer.write(DiskRecord(key: [1], value: value, created: 0, expires: nil))) == nil {
                    torn.change { $0 += 1 }
                }
            } else if case .record(let record) = store.read([1], at: 0), Set(record.value).count == 1 {
                return
            } else {
                torn.change { $0 += 1 }
            }
        }
        #expect(torn.value == 0)
        #expect(folder.files.count == 1)
    }

    @Test(.enabled(if: access("/proc/self/fd", F_OK) == 0, "the system does not show open files"))
    func noFileStaysOpen() throws {
        let store = store()
        for round in 0..<3_000 {
            if round % 4 == 0 { try store.write(record) }
            _ = store.read([UInt8(round % 3)], at: 0)
            if round % 100 == 0 {
                #expect(unlink(store.path(ofKey: [1])) == 0 && mkfifo(store.path(ofKey: [1]), 0) == 0)
            }
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let ours = open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        // The folder itself is open, for the lock by which stores know of each other.
        #expect(open.count > 3 && ours.filter { $0.hasPrefix(folder.path + "/") }.isEmpty)
    }
}
