import Foundation
import Testing
import Weir

@testable import WeirCaching

@Suite struct SwitchTests {
    let first = MemoryLevel<String, String>(limit: 1_000)
    let second = MemoryLevel<String, String>(limit: 1_000)
    struct Away: Error {}

    func cache(named: Bool) -> AnyLevel<String, String> {
        named
            ? AnyLevel(["s": second, "f": first].switch { $0.hasPrefix("s") ? "s" : "f" })
            : AnyLevel(first.switch(with: second) { $0.hasPrefix("s") ? .second : .first })
    }

    @Test(arguments: [false, true]) func getsAndSetsGoToTheLaneAndTheRestToAll(named: Bool) async throws {
        let cache = cache(named: named)
        try await cache.set("A", forKey: "a")
        try await cache.set("S", forKey: "s")
        #expect(first.held("a")?.value == "A" && second.held("s")?.value == "S")
        #expect(first.count == 1 && second.count == 1)
        #expect(try await cache.value(forKey: "a") == "A")
        #expect(Heard(cache.get("s")).signals.value == ["S", "finished"])
        _ = await failure { () async throws(CacheError) in try await cache.value(forKey: "b") }
        _ = await failure { () async throws(CacheError) in try await cache.value(forKey: "t") }
        #expect(cache.statistics.hits == first.statistics.hits + second.statistics.hits)
        #expect(cache.statistics.misses == first.statistics.misses + second.statistics.misses)
        first.fill("s")
        try await cache.remove("s")
        #expect(first.held("s") == nil && second.count == 0)
        second.fill("s")
        cache.onMemoryPressure(.critical)
        #expect(first.count == 0 && second.count == 0)
        first.fill("a")
        second.fill("s")
        try await cache.clear()
        #expect(first.count == 0 && second.count == 0)
    }

    @Test func allLanesAreTriedAndOneThatFailsFailsTheCommand() async throws {
        let cache = BrokenLevel<String, String>(error: .closed).switch(with: second) { _ in .second }
        try await cache.set("A", forKey: "a")
        #expect(
            await failure { () async throws(CacheError) in try await cache.remove("a") } == "\(CacheError.closed)")
        #expect(second.count == 0)
    }

    @Test func aLaneThatIsNotThereIsNamed() async throws {
        let cache = ["f": first].switch { _ in "x" }
        let words = "the key a belongs to the lane x, which the switch does not have"
        #expect(await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } == words)
        #expect(await failure { () async throws(CacheError) in try await cache.set("A", forKey: "a") } == words)
        try await cache.remove("a")
    }
}
