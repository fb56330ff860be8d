import Foundation
import Testing
import WeirCacheWriter
import WeirTestSupport

@testable import WeirCaching

/// Several stores, and several processes, in one folder.
@Suite(.ownThread) struct DiskSharingTests {
    let folder: Folder
    init() throws { folder = try Folder() }

    func store(limit: Int) -> DiskStore {
        DiskStore(directory: folder.path, limit: limit, domain: "test", durable: false)
    }

    func write(_ store: DiskStore, _ key: UInt8, _ size: Int) throws {
        let value = size - DiskRecord.fileSize(key: 1, value: 0)
        try store.write(DiskRecord(key: [key], value: Data(count: value), created: 0, expires: nil))
    }

    @Test(.timeLimit(.minutes(5))) func twoProcessesStayWithinATenthOverTheLimit() async throws {
        let limit = 2_000_000
        let writers = try [0, 1].map { number in
            try Writer(
                folder.path, limit: limit, seed: number, keys: 5_000, first: number * 5_000, count: 3_000)
        }
        for writer in writers { #expect(writer.says("w")) }
        var most = 0
        var looks = 0
        while !writers.allSatisfy({ $0.hasSaid("d") }) {
            // Both stand still while the files are counted.
            for writer in writers { writer.pause() }
            most = max(most, folder.bytes)
            looks += 1
            for writer in writers { writer.resume() }
            // A look takes longer than a write, under a sanitizer much longer: the writers get a turn of their own.
            spin(atMost: .milliseconds(isSanitized ? 200 : 2)) { writers.allSatisfy { $0.hasSaid("d") } }
        }
        spin(atMost: .seconds(15)) { folder.bytes <= limit }
        let atRest = folder.bytes
        for writer in writers { writer.end() }
        print("sharing: at most \(most) of \(limit) bytes in \(looks) looks, \(atRest) at rest")
        #expect(looks > 10 && most > limit / 2 && most <= limit / 10 * 11 && atRest <= limit)
        let level = DiskLevel<Int, Data>(directory: folder.url, limit: limit)
        var read = 0
        for key in 0..<10_000 {
            guard let value = try? await level.value(forKey: key) else { continue }
            read += 1
            #expect(Sample.isValue(value, key: key))
        }
        #expect(read == folder.files.count && level.statistics.removals[.corrupt] == 0)
    }

    @Test func aStoreSeesWhatOthersWroteBeforeItHasWrittenMuch() throws {
        let (one, two) = (store(limit: 10_000), store(limit: 10_000))
        try write(one, 1, 300)
        for key in UInt8(2)..<11 { try write(two, key, 990) }
        #expect(one.used == 300 && two.used == folder.bytes)
        try write(one, 11, 400)
        #expect(one.used == folder.bytes && folder.bytes <= 10_000)
    }

    @Test func atRestAStoreMakesRoomForWhatOthersWrote() throws {
        let (one, two) = (store(limit: 10_000), store(limit: 10_000))
        try write(one, 1, 100)
        #expect(one.takeRest() == .seconds(5) && one.takeRest() == nil)
        for key in UInt8(2)..<12 { try write(two, key, 985) }
        #expect(folder.bytes == 9_950)
        try write(one, 12, 150)
        #expect(folder.bytes == 10_100 && one.used == 250)
        one.rest()
        #expect(one.used == folder.bytes && folder.bytes <= 9_000)
        #expect(one.takeRest() == .seconds(5))
    }

    @Test func neighboursAreSeenWhileTheyLive() throws {
        let one = try #require(DiskNeighbours(directory: folder.path))
        #expect(!one.arePresent)
        var two = DiskNeighbours(directory: folder.path)
        for _ in 0..<3 { #expect(one.arePresent && two?.arePresent == true) }
        two = nil
        #expect(!one.arePresent)
        #expect(DiskNeighbours(directory: folder.path + "/none") == nil)
    }
}
