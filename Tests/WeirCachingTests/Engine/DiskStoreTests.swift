import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

@Suite(.ownThread) struct DiskStoreTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    func store(limit: Int = 1_000_000, files: DiskFiles = DiskFiles()) -> DiskStore {
        DiskStore(directory: folder.path, limit: limit, domain: "test", durable: false, files: files)
    }

    func record(_ key: [UInt8], _ value: String = "value", expires: Int64? = nil) -> DiskRecord {
        DiskRecord(key: key, value: Data(value.utf8), created: 0, expires: expires)
    }

    func read(_ store: DiskStore, _ key: [UInt8], at moment: Int64 = 0) -> String {
        switch store.read(key, at: moment) {
        case .record(let record): String(decoding: record.value, as: UTF8.self)
        case .absent: "absent"
        case .expired: "expired"
        case .damaged: "damaged"
        case .failed(let failure): "failed \(failure.call) \(failure.code)"
        }
    }

    static let oddKeys: [[UInt8]] = [
        [], [0], [0, 0], Array("..".utf8), Array("../../etc/passwd".utf8), Array("a/b\0c".utf8),
        "👩‍👩‍👧 e\u{301}".cacheBytes, [UInt8](repeating: 255, count: 1_000_000),
    ]

    @Test func oddKeysAreKeysLikeAnyOther() throws {
        let store = store(limit: 10_000_000)
        for (place, key) in Self.oddKeys.enumerated() { try store.write(record(key, "\(place)")) }
        let fresh = self.store(limit: 10_000_000)
        for (place, key) in Self.oddKeys.enumerated() {
            #expect(read(store, key) == "\(place)")
            #expect(read(fresh, key) == "\(place)")
        }
        #expect("👩‍👩‍👧 é".cacheBytes == "👩‍👩‍👧 e\u{301}".cacheBytes)
        #expect(folder.files.count == Self.oddKeys.count && store.used == folder.bytes)
    }

    @Test func aFileHasItsOwnersRightsAndItsDigestsName() throws {
        let store = store()
        try store.write(record([1]))
        let path = try #require(folder.files.first)
        #expect(folder.files == [store.path(ofKey: [1])])
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let name = try #require(path.split(separator: "/").last)
        #expect(name.count == 64 && path.hasSuffix("/\(name.prefix(2))/\(name)"))
        let other = DiskStore(directory: folder.path, limit: 1_000, domain: "other", durable: true)
        #expect(other.path(ofKey: [1]) != path)
        try other.write(record([1], "durable"))
        #expect(read(other, [1]) == "durable")
    }

    @Test func everyTruncationAndEveryFlippedBitOfAFileIsAReportedMiss() throws {
        let store = store()
        let path = store.path(ofKey: [1])
        try store.write(record([1]))
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var damaged = bytes.indices.map { Array(bytes.prefix($0)) }
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            damaged.append(flipped)
        }
        for (place, content) in damaged.enumerated() {
            try Data(content).write(to: URL(fileURLWithPath: path))
            #expect(read(store, [1]) == "damaged", "damage \(place)")
            #expect(read(store, [1]) == "absent", "damage \(place)")
        }
        #expect(store.statistics.removals[.corrupt] == damaged.count)
        #expect(store.used == 0 && folder.files.isEmpty)
    }

    @Test(arguments: ["directory", "link", "fifo", "another key's file", "a file over the limit"])
    func whatIsNotTheKeysFileIsAReportedMiss(kind: String) throws {
        let store = store(limit: 1_000)
        try store.write(record([1]))
        try store.write(record([2], "other"))
        let path = store.path(ofKey: [1])
        #expect(unlink(path) == 0)
        switch kind {
        case "directory": #expect(mkdir(path, 0o700) == 0)
        case "link": #expect(symlink(store.path(ofKey: [2]), path) == 0)
        case "fifo": #expect(mkfifo(path, 0o600) == 0)
        case "a file over the limit":
            try Data(count: 100).write(to: URL(fileURLWithPath: path))
            #expect(truncate(path, 1 << 40) == 0)
        default: #expect(link(store.path(ofKey: [2]), path) == 0)
        }
        #expect(read(store, [1]) == "damaged")
        #expect(read(store, [1]) == "absent")
        #expect(read(store, [2]) == "other")
        try store.write(record([1], "again"))
        #expect(read(store, [1]) == "again")
        #expect(store.used == folder.bytes)
    }

    @Test func anExpiredRecordIsDeletedAtItsMoment() throws {
        let store = store()
        try store.write(record([1], expires: 60))
        #expect(read(store, [1], at: 59) == "value")
        #expect(read(store, [1], at: 60) == "expired")
        #expect(read(store, [1], at: 0) == "absent")
        #expect(store.statistics.removals[.expired] == 1 && folder.files.isEmpty)
    }

    @Test func theLimitHoldsAfterEachWriteAndTheRecentlyUsedSurvive() throws {
        let store = store(limit: 10_000)
        let size = DiskRecord.fileSize(key: 1, value: 452)
        #expect(size == 501)
        for number in 0..<60 {
            if number > 0 { #expect(read(store, [0]).count == 452) }
            try store.write(record([UInt8(number)], String(repeating: "x", count: 452)))
            #expect(folder.bytes <= 10_000 && folder.bytes == store.used)
        }
        // 20 do not fit, so the last eviction left 17, and since then others came.
        let held = (0..<60).filter { read(store, [UInt8($0)]) != "absent" }
        #expect(held == [0] + Array(60 - held.count + 1..<60))
        #expect((17...19).contains(held.count))
        #expect(throws: CacheError.self) { try store.write(record([200], String(repeating: "x", count: 10_000))) }
        #expect(store.count == held.count)
    }

    @Test func theIndexIsRebuiltFromTheDirectoryInItsOrder() throws {
        let first = store()
        for number in 0..<5 {
            try first.write(record([UInt8(number)], String(repeating: "x", count: 100)))
            var times = [timespec(tv_sec: 1_000 - number, tv_nsec: 0), timespec(tv_sec: 1_000 - number, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, first.path(ofKey: [UInt8(number)]), &times, 0) == 0)
        }
        let size = DiskRecord.fileSize(key: 1, value: 100)
        let second = store(limit: 3 * size + size / 2)
        #expect(read(second, [9]) == "absent")
        #expect(second.count == 3 && second.used == folder.bytes)
        #expect((0..<5).map { read(second, [UInt8($0)]) != "absent" } == [true, true, true, false, false])
    }

    @Test func strayTemporaryFilesOfDeadProcessesAreSwept() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["true"]
        try process.run()
        process.waitUntilExit()
        let dead = "\(folder.path)/.\(process.processIdentifier)-1.tmp"
        let living = "\(folder.path)/.\(getpid())-9999999.tmp"
        let namesake = "\(folder.path)/.\(getpid())-1.tmp"
        let foreign = "\(folder.path)/notes.tmp"
        let store = store()
        for path in [dead, living, namesake, foreign] { try Data([1]).write(to: URL(fileURLWithPath: path)) }
        var times = [timespec(tv_sec: time(nil) - 600, tv_nsec: 0), timespec(tv_sec: time(nil) - 600, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, namesake, &times, 0) == 0)
        #expect(read(store, [1]) == "absent")
        #expect(Set(folder.files) == [living, foreign])
    }

    @Test func twoStoresOnOneFolderKeepTheirSizesRight() throws {
        let one = store()
        let two = store()
        try one.write(record([1]))
        #expect(read(two, [1]) == "value")
        #expect(unlink(one.path(ofKey: [1])) == 0)
        try two.remove([1])
        try two.remove([1])
        #expect(read(one, [1]) == "absent" && one.used == 0 && two.used == 0)
        try one.write(record([1], "longer than before"))
        try two.write(record([2]))
        try two.write(record([1], "by two"))
        #expect(read(one, [1]) == "by two" && read(one, [2]) == "value")
        #expect(one.used == folder.bytes && two.used == folder.bytes)
        try one.clear()
        #expect(folder.files.isEmpty && one.used == 0)
        #expect(read(two, [1]) == "absent" && read(two, [2]) == "absent" && two.used == 0)
    }
}
