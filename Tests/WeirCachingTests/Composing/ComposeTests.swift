import Foundation
import Testing
import Weir

@testable import WeirCaching

@Suite struct ComposeTests {
    let memory = MemoryLevel<String, String>(limit: 1_000)

    func source(_ loads: Noted<Int> = Noted(0)) -> Fetcher<String, String> {
        Fetcher { key in
            loads.change { $0 += 1 }
            return key.uppercased()
        }
    }

    @Test func whatIsFoundBelowIsWrittenToEveryLevelAbove() async throws {
        let middle = MemoryLevel<String, String>(limit: 1_000)
        let loads = Noted(0)
        let cache = memory.compose(middle).compose(source(loads))
        #expect(try await cache.value(forKey: "a") == "A")
        #expect(memory.held("a")?.value == "A" && middle.held("a")?.value == "A")
        try await memory.clear()
        #expect(try await cache.value(forKey: "a") == "A")
        #expect(memory.held("a")?.value == "A" && loads.value == 1)
        #expect(try await cache.value(forKey: "a") == "A")
        #expect(cache.ledger.isQuiet)
    }

    @Test func statisticsCountHitsOnAnyLevelAndMissesBelowAll() async throws {
        let cache = memory.compose(MemoryLevel<String, String>(limit: 1_000)).compose(source()).pooled()
        for key in ["a", "b", "c"] { _ = try await cache.value(forKey: key) }
        for _ in 0..<41 { _ = try await cache.value(forKey: "b") }
        #expect("\(cache.statistics)" == "hits 41, misses 3, loads 3")
    }

    @Test func aFailingUpperLevelNeverHidesAHitNorFailsAGet() async throws {
        let cache = BrokenLevel<String, String>().compose(source())
        #expect(try await cache.value(forKey: "broken-a") == "BROKEN-A")
        #expect(cache.ledger.isQuiet)
    }

    @Test func setRemoveAndClearTryAllAndFailIfAnyFails() async throws {
        let full = "could not write to the level: write /full: No space left on device (28)"
        for cache in [
            BrokenLevel().compose(memory).normalized(), memory.compose(BrokenLevel()).normalized(),
        ] {
            #expect(await failure { () async throws(CacheError) in try await cache.set("A", forKey: "a") } == full)
            #expect(memory.held("a")?.value == "A")
            #expect(await failure { () async throws(CacheError) in try await cache.remove("a") } == full)
            #expect(memory.count == 0)
            memory.fill("a")
            #expect(await failure { () async throws(CacheError) in try await cache.clear() } == full)
            #expect(memory.count == 0)
        }
    }

    @Test func aMissInAllFailsWithTheMoreTellingError() {
        func ask(_ upper: CacheError, _ lower: CacheError) -> String? {
            let cache = BrokenLevel<String, String>(error: upper).compose(BrokenLevel(error: lower))
            return Heard(cache.get("a")).signals.value.first
        }
        #expect(ask(.notFound, .notFound) == "failed(not found in any level)")
        #expect(ask(.expired, .notFound) == "failed(found, but expired)")
        #expect(ask(.notFound, .expired) == "failed(found, but expired)")
        #expect(ask(.corrupt(key: "a"), .notFound) == "failed(\(CacheError.corrupt(key: "a")))")
        #expect(
            ask(.corrupt(key: "a"), .tooLarge(size: 2, limit: 1)) == "failed(\(CacheError.tooLarge(size: 2, limit: 1)))"
        )
    }

    enum Write: CaseIterable { case set, remove, clear }

    /// A write during the load wins: what the load brings is answered, and not written above.
    @Test(arguments: Write.allCases) func aWriteDuringALoadIsNotOverwritten(write: Write) {
        let lower = HandLevel()
        let cache = memory.compose(lower)
        let get = Heard(cache.get("a"))
        #expect(lower.loads == 1)
        run(write, on: cache)
        lower.answer(.success("old"))
        #expect(get.signals.value == ["old", "finished"])
        #expect(memory.held("a")?.value == (write == .set ? "new" : nil))
        #expect(cache.ledger.isQuiet)
    }

    /// A write during the write-back waits for it, and wins.
    @Test(arguments: Write.allCases) func aWriteDuringAWriteBackComesAfterIt(write: Write) {
        let upper = HandLevel(holdsSets: true)
        let composed = upper.compose(MemoryLevel<String, String>.holding("old", for: "a"))
        let load = Heard(composed.get("a"))
        upper.answer(.failure(.notFound))
        #expect(upper.waitingSets == ["old"])
        let done = Noted(false)
        let token = command(write, on: composed).subscribe({ _ in }, done: { _ in done.change { $0 = true } })
        #expect(upper.waitingSets == ["old"] && !done.value, "the write waits")
        upper.finishSet()
        #expect(load.signals.value == ["old", "finished"])
        #expect(upper.waitingSets == (write == .set ? ["new"] : []))
        upper.finishSet()
        #expect(done.value && token.isFinished && composed.ledger.isQuiet)
    }

    /// A load that begins during a write does not write back either.
    @Test func aLoadDuringAWriteDoesNotWriteBack() {
        let lower = HandLevel(holdsSets: true)
        let cache = memory.compose(lower)
        let set = Heard(cache.set("new", forKey: "a") as Observable<Never, CacheError>)
        memory.drop("a")
        let get = Heard(cache.get("a"))
        lower.answer(.success("old"))
        #expect(get.signals.value == ["old", "finished"] && memory.held("a") == nil)
        lower.finishSet()
        #expect(set.signals.value == ["finished"] && cache.ledger.isQuiet)
    }

    @Test func cancellingAGetAtAnyPointLeavesNothingBehind() {
        let upper = HandLevel(holdsSets: true)
        let lower = HandLevel()
        let cache = upper.compose(lower)
        for point in 0..<3 {
            let get = Heard(cache.get("a"))
            if point > 0 { upper.answer(.failure(.notFound)) }
            if point > 1 { lower.answer(.success("x")) }
            get.cancel()
            #expect(get.signals.value.isEmpty && cache.ledger.isQuiet, "point \(point)")
        }
        #expect(upper.waiting == 0 && lower.waiting == 0)
    }

    private func command(_ write: Write, on cache: some CacheLevel<String, String>) -> Observable<Never, CacheError> {
        switch write {
        case .set: cache.set("new", forKey: "a")
        case .remove: cache.remove("a")
        case .clear: cache.clear()
        }
    }

    private func run(_ write: Write, on cache: some CacheLevel<String, String>) {
        #expect(Heard(command(write, on: cache)).signals.value == ["finished"])
    }
}

extension MemoryLevel<String, String> {
    static func holding(_ value: String, for key: String) -> MemoryLevel {
        let level = MemoryLevel(limit: 1_000)
        level.fill(key, value)
        return level
    }

    func fill(_ key: String, _ value: String = "x") { _ = store.insert(CacheEntry(value), cost: 1, forKey: key) }
    func drop(_ key: String) { store.remove(key) }
}
