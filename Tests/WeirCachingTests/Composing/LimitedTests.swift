import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

@Suite struct LimitedTests {
    let hand = HandLevel()

    @Test func onlySoManyGetsRunAndTheOthersComeInTheirOrder() {
        let places = Places(count: 2)
        let cache = Limited(base: hand, places: places)
        let gets = ["a", "b", "c", "d", "e"].map { Heard(cache.get($0)) }
        #expect(hand.loads == 2 && places.numbers == (2, 3))
        gets[3].cancel()
        #expect(places.numbers == (2, 2))
        hand.answer(.success("A"))
        #expect(gets[0].signals.value == ["A", "finished"] && hand.loads == 3)
        hand.answer(.failure(.notFound))
        hand.answer(.success("C"))
        hand.answer(.success("E"))
        #expect(
            gets.map(\.signals.value) == [
                ["A", "finished"], ["failed(not found in any level)"], ["C", "finished"], [], ["E", "finished"],
            ])
        #expect(places.numbers == (0, 0))
    }

    @Test func cancellingOneInsideLetsTheNextIn() {
        let cache = hand.limited(maxConcurrent: 0)
        let first = Heard(cache.get("a"))
        let second = Heard(cache.get("b"))
        #expect(hand.loads == 1)
        first.cancel()
        #expect(hand.loads == 2 && hand.cancels == 1)
        hand.answer(.success("B"))
        #expect(first.signals.value == [] && second.signals.value == ["B", "finished"])
    }

    @Test func writesAndWhatIsAtHandNeverWait() async throws {
        let memory = MemoryLevel<String, String>(limit: 1_000)
        let cache = memory.compose(hand).limited(maxConcurrent: 1)
        let waiting = [Heard(cache.get("a")), Heard(cache.get("b"))]
        try await cache.set("C", forKey: "c")
        #expect(try await cache.value(forKey: "c") == "C")
        #expect(Heard(cache.get("c")).signals.value == ["C", "finished"])
        try await cache.remove("c")
        try await cache.clear()
        #expect(hand.loads == 1 && waiting.allSatisfy { $0.signals.value.isEmpty })
    }

    /// A long queue of gets that answer at once needs no stack.
    @Test func aLongQueueNeedsNoStack() {
        let memory = MemoryLevel<Int, Int>(limit: 1_000)
        let (answered, tokens) = (Noted(0), SubscriptionBag())
        onThread {
            let first = HandLevel()
            let places = Places(count: 1)
            let head = first.entry("a").limited(by: places)
            let heard = Heard(head)
            for key in 0..<20_000 {
                memory.entry(key).limited(by: places).subscribe({ _ in }) { _ in answered.change { $0 += 1 } }
                    .store(in: tokens)
            }
            #expect(answered.value == 0)
            first.answer(.success("A"))
            #expect(heard.signals.value.count == 2)
        }
        #expect(answered.value == 20_000)
    }

    @Test func threadsNeverRunMoreThanTheLimit() async {
        let running = Noted(0)
        let most = Noted(0)
        let level = Level<Int, Int>(get: { key in
            let now = running.change { running in
                running += 1
                return running
            }
            most.change { $0 = max($0, now) }
            for _ in 0..<5 { await Task.yield() }
            running.change { $0 -= 1 }
            return key
        })
        let cache = level.limited(maxConcurrent: 3)
        let tokens = SubscriptionBag()
        let (finished, last) = AsyncStream.makeStream(of: Void.self)
        await race("gets of a limited level", threads: 4, rounds: 500) { thread, round in
            cache.get(round).subscribe({ _ in }, done: { _ in last.yield() }).store(in: tokens)
        }
        var count = 0
        for await _ in finished {
            count += 1
            if count == 2_000 { break }
        }
        print("limited: at most \(most.value) of 2,000 gets at one time")
        #expect(most.value <= 3 && most.value > 1 && running.value == 0)
    }
}
