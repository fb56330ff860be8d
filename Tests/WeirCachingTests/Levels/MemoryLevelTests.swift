import Foundation
import Testing
import Weir

@testable import WeirCaching

@Suite struct MemoryLevelTests {
    /// Contract 5, memory.
    @Test func theLimitHoldsAfterEachCallAndTheSurvivorsAreThoseOfTheRules() async throws {
        let level = MemoryLevel<Int, Data>(limit: 1_000)
        var model = PlainS3FIFO(capacity: 1_000)
        for key in 0..<100 {
            for other in [key / 2, key / 3] {
                let isHit = await failure { () async throws(CacheError) in try await level.value(forKey: other) } == nil
                #expect(isHit == model.hit(other))
            }
            try await level.set(Data(count: 100), forKey: key)
            model.miss(key, cost: 100)
            #expect(level.used <= 1_000)
        }
        #expect(Set((0..<100).filter { level.held($0) != nil }) == model.held && model.held.count == 10)
        let refused = await failure { () async throws(CacheError) in try await level.set(Data(count: 1_001), forKey: 99)
        }
        #expect(refused == "a size of 1001 is over the limit of 1000; raise the limit or keep it out of this level")
        #expect(level.held(99)?.value.count == 100 && level.count == 10)
    }

    @Test func streamsAreColdAndAsyncFormsActAtOnce() async throws {
        let level = MemoryLevel<String, String>(limit: 100)
        let set: Observable<Never, CacheError> = level.set("A", forKey: "a")
        let get = level.get("a")
        #expect(level.count == 0)
        #expect(Heard(get).signals.value == ["failed(not found in any level)"])
        #expect(Heard(set).signals.value == ["finished"])
        #expect(Heard(get).signals.value == ["A", "finished"])
        #expect(try await level.value(forKey: "a") == "A")
        try await level.remove("a")
        #expect(level.count == 0)
        #expect(Heard(set).signals.value == ["finished"])
        #expect(level.count == 1)
        level.onMemoryPressure(.warning)
        #expect(level.count == 0 && level.statistics.removals[.pressure] == 1)
    }

    @Test func costsAreTheValuesUnlessAFunctionOrTheEntrySays() throws {
        let bytes = MemoryLevel<Int, String>(limit: 100)
        try bytes.insert(CacheEntry("é🙂"), forKey: 1)
        #expect(bytes.used == 6)
        try bytes.insert(CacheEntry("é🙂", cost: 50), forKey: 1)
        #expect(bytes.used == 50)
        let entries = MemoryLevel<Int, String>(limit: 2, cost: { _ in 1 })
        for key in 0..<5 { try entries.insert(CacheEntry("long enough"), forKey: key) }
        #expect(entries.count == 2 && "\(entries)" == "MemoryLevel(2 entries, 2 of 2)")
        #expect(Data(count: 7).cacheCost == 7 && [1, 2].cacheCost == 2 && Character("é").cacheCost == 1)
        #expect(URL(string: "a:b").map(\.cacheCost) == 3 && 1.5.cacheCost == 1)
    }

    @Test func anEntryKeepsWhenItWasFirstStored() throws {
        let clock = HandClock()
        let level = MemoryLevel<Int, Int>(limit: 100, now: clock.now)
        clock.set(5)
        try level.insert(CacheEntry(1), forKey: 1)
        #expect(level.held(1)?.stored == Date(timeIntervalSince1970: 5))
        try level.insert(CacheEntry(1, stored: Date(timeIntervalSince1970: 2)), forKey: 1)
        #expect(level.held(1)?.stored == Date(timeIntervalSince1970: 2))
    }

    @Test func aCancelledTaskIsToldSo() async throws {
        let waiting = HandLevel()
        let task = Task { await failure { () async throws(CacheError) in try await waiting.value(forKey: "a") } }
        while waiting.waiting == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == "cancelled before there was an answer")
        #expect(waiting.cancels == 1)
    }
}
