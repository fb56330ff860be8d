import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

@Suite struct DiskLevelTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    func level(limit: Int = 1_000_000) -> DiskLevel<String, Data> { DiskLevel(directory: folder.url, limit: limit) }

    @Test func valuesSurviveTheLevel() async throws {
        try await level().set(Data("A".utf8), forKey: "a")
        let fresh = level()
        #expect(try await fresh.value(forKey: "a") == Data("A".utf8))
        try await fresh.remove("a")
        #expect(
            await failure { () async throws(CacheError) in try await fresh.value(forKey: "a") }
                == "not found in any level")
        try await fresh.set(Data(), forKey: "")
        #expect(try await fresh.value(forKey: "") == Data())
        try await fresh.clear()
        #expect(folder.files.isEmpty && fresh.used == 0 && fresh.count == 0)
    }

    @Test func keysThatAreEqualInMemoryAreEqualOnDisk() async throws {
        let level = level(limit: 10_000_000)
        let keys = ["", String(repeating: "k", count: 1 << 20), "a\0b", "..", "../x", "👩‍👩‍👧 e\u{301}"]
        for key in keys { try await level.set(Data(key.utf8.prefix(50)), forKey: key) }
        for key in keys { #expect(try await level.value(forKey: key) == Data(key.utf8.prefix(50))) }
        #expect(try await level.value(forKey: "👩‍👩‍👧 é") == Data("👩‍👩‍👧 e\u{301}".utf8))
        #expect(level.count == keys.count && folder.files.count == keys.count)
    }

    struct Photo: Codable, Equatable, Sendable {
        var title: String
        var likes: Int
    }

    @Test func codableValuesComeBackAndOthersAreReported() async throws {
        let photos = DiskLevel<Int, Photo>(directory: folder.url, limit: 10_000)
        try await photos.set(Photo(title: "Weir", likes: 3), forKey: 7)
        #expect(try await photos.value(forKey: 7) == Photo(title: "Weir", likes: 3))
        let numbers = DiskLevel<Int, Double>(directory: folder.url, limit: 10_000)
        let text = await failure { () async throws(CacheError) in try await numbers.value(forKey: 7) }
        #expect(text?.hasPrefix("could not transform the value: ") == true, "\(text ?? "nil")")
        let notWritten = await failure { () async throws(CacheError) in try await numbers.set(.nan, forKey: 8) }
        #expect(notWritten?.hasPrefix("could not transform the value: ") == true, "\(notWritten ?? "nil")")
        #expect(numbers.count == 1)
    }

    @Test func damageIsReportedOnceAndIsAMissAbove() async throws {
        let level = level()
        try await level.set(Data("A".utf8), forKey: "a")
        let path = level.store.path(ofKey: "a".cacheBytes)
        #expect(truncate(path, 20) == 0)
        let expected = "the stored value of a is damaged; it was deleted and has to be loaded again"
        #expect(await failure { () async throws(CacheError) in try await level.value(forKey: "a") } == expected)
        #expect(
            await failure { () async throws(CacheError) in try await level.value(forKey: "a") }
                == "not found in any level")
        try await level.set(Data("A".utf8), forKey: "a")
        #expect(truncate(path, 0) == 0)
        let cache = level.compose(Fetcher { _ in Data("loaded".utf8) })
        #expect(try await cache.value(forKey: "a") == Data("loaded".utf8))
        #expect(try await level.value(forKey: "a") == Data("loaded".utf8))
        #expect(level.statistics.removals[.corrupt] == 2)
    }

    @Test func aFolderThatIsNoneIsAnErrorAndTheCacheGoesOn() async throws {
        let path = folder.path + "/file"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let level = DiskLevel<String, Data>(directory: URL(fileURLWithPath: path), limit: 1_000)
        let text = await failure { () async throws(CacheError) in try await level.set(Data(), forKey: "a") }
        #expect(text?.contains("\(path)") == true && text?.contains("Not a directory (20)") == true, "\(text ?? "nil")")
        let cache = MemoryLevel<String, Data>(limit: 100).compose(level).compose(Fetcher { _ in Data("A".utf8) })
        #expect(try await cache.value(forKey: "a") == Data("A".utf8))
    }

    /// Contract 4.
    @Test func twoLevelsOnOneFolderAndAFileDeletedFromOutside() async throws {
        let one = level()
        let two = level()
        for number in 0..<5 { try await one.set(Data(count: 1_000), forKey: "\(number)") }
        for number in 0..<5 { #expect(try await two.value(forKey: "\(number)").count == 1_000) }
        #expect(unlink(one.store.path(ofKey: "2".cacheBytes)) == 0)
        for level in [one, two] {
            #expect(await failure { () async throws(CacheError) in try await level.value(forKey: "2") } != nil)
            try await level.remove("2")
            #expect(level.used == folder.bytes && level.count == 4)
        }
        for number in 0..<5 { try await two.remove("\(number)") }
        for number in 0..<5 { try await one.remove("\(number)") }
        #expect(one.used == 0 && two.used == 0 && folder.files.isEmpty)
    }

    /// Contract 5, disk: everything goes through the level's own queue, so many tasks at once keep the account, too.
    @Test func theLimitHoldsUnderManyTasks() async throws {
        let level = level(limit: 20_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await level.set(Data(count: 500 + number), forKey: "\(number % 60)")
                    if number % 3 == 0 { _ = try? await level.value(forKey: "\(number % 7)") }
                    if number % 10 == 0 { try await level.remove("\(number % 60)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(level.used == folder.bytes && level.used <= 20_000 && level.count == folder.files.count)
        let text = await failure { () async throws(CacheError) in try await level.set(Data(count: 20_000), forKey: "x")
        }
        #expect(text == "a size of 20049 is over the limit of 20000; raise the limit or keep it out of this level")
    }

    @Test func aGetThatIsCancelledInTheQueueReadsNothing() async throws {
        let level = level()
        try await level.set(Data([1]), forKey: "held")
        // A handler that does not return holds the level's queue, so the gets after it wait.
        let isHeld = BehaviorSubject<Bool, Never>(false)
        let release = DispatchSemaphore(value: 0)
        let holder = level.get("held").subscribe(
            { _ in
                isHeld.send(true)
                release.wait()
            }, done: { _ in })
        for await isHeld in isHeld.values where isHeld { break }
        let before = level.statistics.misses
        let heard = (0..<100).map { _ in Heard(level.get("a")) }
        for one in heard { one.cancel() }
        release.signal()
        try await level.set(Data(), forKey: "b")
        #expect(level.statistics.misses == before && heard.allSatisfy { $0.signals.value.isEmpty })
        holder.cancel()
    }
}
