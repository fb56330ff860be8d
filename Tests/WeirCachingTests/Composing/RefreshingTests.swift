import Foundation
import Testing
import Weir
import WeirTesting

@testable import WeirCaching

/// Contract 3.
@Suite struct RefreshingTests {
    let clock = VirtualClock()
    let hand = HandLevel()
    var now: @Sendable () -> Date { { [clock] in Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) } }

    enum Order: CaseIterable { case expiringInside, expiringOutside, pooled }

    /// A cache that is stale after two seconds and over after `life`.
    func cache(_ order: Order, life: Duration) -> AnyLevel<String, String> {
        let cache = MemoryLevel<String, String>(limit: 1_000, now: now).compose(hand)
        let age = Duration.seconds(2)
        return switch order {
        case .expiringInside: AnyLevel(cache.expiring(after: life, now: now).refreshing(staleAfter: age, now: now))
        case .expiringOutside: cache.refreshing(staleAfter: age, now: now).expiring(after: life, now: now)
        case .pooled: AnyLevel(cache.pooled().expiring(after: life, now: now).refreshing(staleAfter: age, now: now))
        }
    }

    func ask(_ cache: AnyLevel<String, String>) -> [String] { Heard(cache.get("a")).signals.value }

    @Test(arguments: Order.allCases) func aStaleValueIsAnsweredAndLoadedAnew(order: Order) {
        let cache = cache(order, life: .seconds(60))
        let first = Heard(cache.get("a"))
        hand.answer(.success("v1"))
        #expect(first.signals.value == ["v1", "finished"])
        clock.advance(by: .milliseconds(1_999))
        #expect(ask(cache) == ["v1", "finished"] && hand.loads == 1, "still fresh")
        clock.advance(by: .milliseconds(1_001))
        #expect(ask(cache) == ["v1", "finished"] && hand.loads == 2)
        #expect(ask(cache) == ["v1", "finished"] && hand.loads == 2, "one load at one time")
        hand.answer(.failure(.fetch(.timedOut(seconds: 1), from: "a")))
        clock.advance(by: .seconds(3))
        #expect(ask(cache) == ["v1", "finished"] && hand.loads == 3)
        hand.answer(.success("v3"))
        #expect(ask(cache) == ["v3", "finished"] && hand.loads == 3 && hand.waiting == 0)
        clock.advance(by: .seconds(2))
        #expect(ask(cache) == ["v3", "finished"] && hand.loads == 4, "stale again, from the second load on")
    }

    /// A load that never ends does not keep what is over.
    @Test(arguments: Order.allCases) func theHardExpiryWins(order: Order) async {
        let cache = cache(order, life: .seconds(8))
        let first = Heard(cache.get("a"))
        hand.answer(.success("v1"))
        #expect(first.signals.value.count == 2)
        clock.advance(by: .milliseconds(7_999))
        #expect(ask(cache) == ["v1", "finished"] && hand.loads == 2)
        clock.advance(by: .milliseconds(1))
        let late = Heard(cache.get("a"))
        #expect(late.signals.value == [] && hand.loads == 3, "a miss, which is loaded")
        hand.answer(.failure(.notFound))
        hand.answer(.failure(.notFound))
        #expect(late.signals.value.first?.hasPrefix("failed") == true)
    }

    /// What a background load brings is not written over what came meanwhile.
    @Test func aWriteDuringTheLoadWins() async throws {
        for write in ["set", "remove", "clear"] {
            let memory = MemoryLevel<String, String>(limit: 1_000, now: now)
            try memory.insert(CacheEntry("old"), forKey: "a")
            let hand = HandLevel()
            let cache = memory.compose(hand).refreshing(staleAfter: .zero, now: now)
            #expect(Heard(cache.get("a")).signals.value == ["old", "finished"] && hand.waiting == 1)
            switch write {
            case "set": try await cache.set("new", forKey: "a")
            case "remove": try await cache.remove("a")
            default: try await cache.clear()
            }
            hand.answer(.success("late"))
            #expect(memory.held("a")?.value == (write == "set" ? "new" : nil))
        }
    }

    @Test func lettingGoOfTheCacheCancelsItsLoads() {
        do {
            let cache = cache(.expiringInside, life: .seconds(60))
            let first = Heard(cache.get("a"))
            hand.answer(.success("v1"))
            clock.advance(by: .seconds(3))
            #expect(ask(cache) == ["v1", "finished"] && hand.waiting == 1 && first.signals.value.count == 2)
        }
        #expect(hand.cancels == 1 && hand.waiting == 0)
    }

    /// `reload` by hand: the lowest level is asked whatever is held, and those above get what comes.
    @Test func reloadingAsksTheLowestLevel() async throws {
        let (upper, middle) = (
            MemoryLevel<String, String>(limit: 100), MemoryLevel<String, String>(limit: 100)
        )
        let loads = Noted(0)
        let cache = upper.compose(middle).compose(
            Fetcher { key in
                loads.change { loads in
                    loads += 1
                    return "\(key)\(loads)"
                }
            }
        ).pooled().transformKeys { (key: String) in key }.limited(maxConcurrent: 1)
        #expect(try await cache.value(forKey: "a") == "a1")
        #expect(try await cache.value(forKey: "a") == "a1")
        #expect(try await cache.reloaded("a") == "a2")
        #expect(upper.held("a")?.value == "a2" && middle.held("a")?.value == "a2")
        #expect(try await cache.value(forKey: "a") == "a2" && loads.value == 2)
    }
}
