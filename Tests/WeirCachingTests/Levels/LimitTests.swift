import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

// What a level does at the edges of its numbers: limits of nothing, costs as large as an Int, keys that equal nothing.

@Suite(.ownThread) struct LimitTests {
    /// One rule for all levels: nothing is kept, and each `set` says so.
    @Test(arguments: [0, -1, .min]) func aLimitOfNothingKeepsNothing(limit: Int) async throws {
        let folder = try Folder()
        try await DiskLevel<String, Data>(directory: folder.url, limit: 1_000).set(Data("old".utf8), forKey: "a")
        #expect(folder.files.count == 1)
        let memory = MemoryLevel<String, Data>(limit: limit)
        let disk = DiskLevel<String, Data>(directory: folder.url, limit: limit)
        for level in [AnyLevel(memory), AnyLevel(disk)] {
            #expect(
                await failure { () async throws(CacheError) in _ = try await level.value(forKey: "a") }
                    == "not found in any level")
            for value in [Data(), Data("new".utf8)] {
                let refusal = await failure { () async throws(CacheError) in try await level.set(value, forKey: "a") }
                #expect(
                    refusal?.hasSuffix("is over the limit of 0; raise the limit or keep it out of this level") == true)
            }
            #expect(
                await failure { () async throws(CacheError) in _ = try await level.value(forKey: "a") }
                    == "not found in any level")
        }
        #expect(memory.count == 0 && disk.count == 0 && folder.files.isEmpty)
    }

    @Test func costsAsLargeAsAnIntNeverOverflow() throws {
        for limit in [Int.max, .max - 1, .max / 2, .max / 2 + 1] {
            let level = MemoryLevel<Int, Int>(limit: limit, cost: { $0 })
            let most = Int.max / 2
            for key in 0..<100 {
                let cost = key.isMultiple(of: 3) ? most : most / 2 + key
                try level.insert(CacheEntry(cost), forKey: key % 7)
                #expect(level.used <= most && level.count > 0)
            }
            #expect {
                try level.insert(CacheEntry(.max), forKey: 1)
            } throws: { error in
                "\(error)"
                    == "a size of \(Int.max) is over the limit of \(most); raise the limit or keep it out of this level"
            }
        }
    }

    /// Nothing could ever be found under such a key, so it must not fill the level, nor any table of those around it.
    @Test func aKeyThatIsNotEqualToItselfIsRefused() async throws {
        let level = MemoryLevel<Double, Int>(limit: 10, cost: { _ in 1 })
        try level.insert(CacheEntry(1), forKey: 1)
        for _ in 0..<100_000 {
            #expect(throws: CacheError.self) { try level.insert(CacheEntry(2), forKey: .nan) }
        }
        #expect(level.count == 1 && level.held(1)?.value == 1 && level.held(.nan) == nil)
        let refusal = await failure { () async throws(CacheError) in try await level.set(3, forKey: .nan) }
        #expect(refusal == "the key nan is not equal to itself, so nothing could be found under it; use another key")
        let pooled = Fetcher<Double, Int> { _ in 5 }.pooled()
        let composed = level.compose(pooled)
        for _ in 0..<1_000 {
            #expect(try await composed.value(forKey: .nan) == 5)
            #expect(await failure { () async throws(CacheError) in try await composed.set(4, forKey: .nan) } == refusal)
            try await composed.remove(.nan)
        }
        #expect(pooled.underWay == 0 && composed.ledger.isQuiet && level.count == 1)
    }
}
