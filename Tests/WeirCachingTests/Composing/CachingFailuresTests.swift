import Foundation
import Testing
import Weir
import WeirTesting

@testable import WeirCaching

@Suite struct CachingFailuresTests {
    let clock = VirtualClock()
    let hand = HandLevel()
    var now: @Sendable () -> Date { { [clock] in Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) } }

    @Test func aFailureIsRememberedForItsTime() {
        let cache = hand.cachingFailures(for: .seconds(10), now: now)
        let first = Heard(cache.get("a"))
        hand.answer(.failure(.fetch(.status(404), from: "a")))
        let words = first.signals.value
        #expect(words == ["failed(could not fetch a: the server answered with status 404)"])
        clock.advance(by: .milliseconds(9_999))
        #expect(Heard(cache.get("a")).signals.value == words && hand.loads == 1)
        let other = Heard(cache.get("b"))
        #expect(hand.loads == 2)
        hand.answer(.success("B"))
        #expect(other.signals.value == ["B", "finished"])
        clock.advance(by: .milliseconds(1))
        let second = Heard(cache.get("a"))
        #expect(hand.loads == 3)
        hand.answer(.success("A"))
        #expect(second.signals.value == ["A", "finished"])
    }

    @Test(arguments: ["set", "remove", "clear"]) func aWriteForgetsAndOneDuringTheLoadToo(write: String) async throws {
        let cache = hand.cachingFailures(for: .seconds(10), now: now)
        func run() async throws {
            switch write {
            case "set": try await cache.set("A", forKey: "a")
            case "remove": try await cache.remove("a")
            default: try await cache.clear()
            }
        }
        let first = Heard(cache.get("a"))
        hand.answer(.failure(.notFound))
        try await run()
        let second = Heard(cache.get("a"))
        #expect(hand.loads == 2)
        try await run()
        hand.answer(.failure(.notFound))
        let third = Heard(cache.get("a"))
        #expect(hand.loads == 3, "what overlapped with a write is not remembered")
        hand.answer(.success("A"))
        #expect(third.signals.value == ["A", "finished"])
        #expect(first.signals.value == second.signals.value)
    }

    @Test func whatIsNotTheKeysFaultIsNotRemembered() {
        let cache = hand.cachingFailures(for: .seconds(10), now: now)
        for (count, error) in [CacheError.cancelled, .closed, .conditionNotSatisfied].enumerated() {
            let get = Heard(cache.get("a"))
            hand.answer(.failure(error))
            #expect(get.signals.value == ["failed(\(error))"] && hand.loads == count + 1)
        }
        Heard(cache.get("a")).cancel()
        #expect(hand.loads == 4 && hand.cancels == 1)
    }

    @Test func failuresAreBoundedAndPressureForgetsThem() {
        let cache = hand.cachingFailures(for: .seconds(10), atMost: 1, now: now)
        for key in ["a", "b", "a"] {
            let get = Heard(cache.get(key))
            hand.answer(.failure(.notFound))
            #expect(get.signals.value.count == 1)
        }
        #expect(hand.loads == 3)
        #expect(Heard(cache.get("a")).signals.value == ["failed(not found in any level)"] && hand.loads == 3)
        cache.onMemoryPressure(.warning)
        Heard(cache.get("a")).cancel()
        #expect(hand.loads == 4)
    }
}
