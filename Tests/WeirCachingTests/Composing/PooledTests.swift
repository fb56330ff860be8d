import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

/// Contract 1.
@Suite struct PooledTests {
    let source = HandLevel()

    @Test func fiveGetsAreOneLoadAndTheNextLoadsAgain() {
        let pooled = source.pooled()
        let gets = (0..<5).map { _ in Heard(pooled.get("a")) }
        #expect(source.loads == 1 && pooled.underWay == 1)
        source.answer(.success("A"))
        #expect(gets.map(\.signals.value) == Array(repeating: ["A", "finished"], count: 5))
        #expect(pooled.underWay == 0 && pooled.statistics.joined == 4)
        let next = Heard(pooled.get("a"))
        #expect(source.loads == 2 && next.signals.value.isEmpty)
    }

    @Test func oneCancelledLeavesTheOthersAllCancelledCancelTheLoad() {
        let pooled = source.pooled()
        let gets = (0..<5).map { _ in Heard(pooled.get("a")) }
        gets[0].cancel()
        gets[3].cancel()
        #expect(source.cancels == 0 && pooled.underWay == 1)
        source.answer(.success("A"))
        #expect(gets.map(\.signals.value.first) == [nil, "A", "A", nil, "A"])

        let others = (0..<5).map { _ in Heard(pooled.get("a")) }
        for get in others { get.cancel() }
        #expect(source.loads == 2 && source.cancels == 1 && source.waiting == 0)
        #expect(pooled.underWay == 0)
    }

    @Test func aFailureIsEverybodysAndTheNextGetLoadsAgain() {
        let pooled = source.pooled()
        let gets = (0..<5).map { _ in Heard(pooled.get("a")) }
        source.answer(.failure(.corrupt(key: "a")))
        let text = "failed(\(CacheError.corrupt(key: "a")))"
        #expect(gets.map(\.signals.value) == Array(repeating: [text], count: 5))
        #expect(pooled.underWay == 0)
        let next = Heard(pooled.get("a"))
        source.answer(.success("A"))
        #expect(next.signals.value == ["A", "finished"] && source.loads == 2)
    }

    @Test func keysDoNotWaitForEachOtherAndASourceWithoutAnAnswerIsAMiss() {
        let pooled = source.pooled()
        let a = Heard(pooled.get("a"))
        let b = Heard(pooled.get("b"))
        #expect(source.loads == 2 && pooled.underWay == 2)
        source.answer(.success("A"))
        #expect(a.signals.value == ["A", "finished"] && b.signals.value.isEmpty)

        struct Silent: CacheLevel {
            func entry(_ key: String) -> Observable<CacheEntry<String>, CacheError> { .empty() }
            func set(_ entry: CacheEntry<String>, forKey key: String) -> Observable<Never, CacheError> { .empty() }
            func remove(_ key: String) -> Observable<Never, CacheError> { .empty() }
            func clear() -> Observable<Never, CacheError> { .empty() }
        }
        #expect(Heard(Silent().pooled().get("a")).signals.value == ["failed(not found in any level)"])
    }

    /// From inside the handler of one get: the load is over then, and a new one begins.
    @Test func aGetFromInsideTheEndOfAnotherLoadsAgain() {
        let pooled = source.pooled()
        let inner = Heard()
        let token = pooled.get("a").subscribe({ _ in }, done: { _ in inner.listen(to: pooled.get("a")) })
        source.answer(.failure(.notFound))
        #expect(source.loads == 2 && inner.signals.value.isEmpty)
        source.answer(.success("A"))
        #expect(inner.signals.value == ["A", "finished"] && token.isFinished)
    }

    /// `set`, `remove` and `clear` pass unpooled, and what is asked after them joins no load from before them: what that
    /// brings is answered to those who wait, and written nowhere.
    @Test(arguments: ["set", "remove", "clear"]) func aGetAfterAWriteJoinsNoLoadFromBeforeIt(write: String) async throws
    {
        let memory = MemoryLevel<String, String>(limit: 1_000)
        let cache = memory.compose(source.pooled()).pooled()
        let early = Heard(cache.get("a"))
        switch write {
        case "set": try await cache.set("new", forKey: "a")
        case "remove": try await cache.remove("a")
        default: try await cache.clear()
        }
        let late = Heard(cache.get("a"))
        #expect(source.loads == (write == "set" ? 1 : 2))
        source.answer(.success("old"))
        #expect(early.signals.value == ["old", "finished"])
        #expect(memory.held("a")?.value == (write == "set" ? "new" : nil))
        source.answer(.success("fresh"))
        let answer = write == "set" ? "new" : "fresh"
        #expect(late.signals.value == [answer, "finished"] && memory.held("a")?.value == answer)
        #expect(cache.underWay == 0)
    }

    @Test func threadsShareLoadsAndEveryGetIsAnswered() async {
        let answers = Noted(0)
        let running = Noted([Int: Int]())
        let twice = Noted(0)
        let slow = Level<Int, Int>(get: { key in
            let together = running.change { running in
                running[key, default: 0] += 1
                return running[key]
            }
            if together != 1 { twice.change { $0 += 1 } }
            for _ in 0..<20 { await Task.yield() }
            running.change { $0[key, default: 1] -= 1 }
            return key
        })
        let pooled = slow.pooled()
        let tokens = SubscriptionBag()
        let (finished, last) = AsyncStream.makeStream(of: Void.self)
        await race("gets of a pooled level", threads: 4, rounds: 500) { thread, round in
            let key = round / 10
            pooled.get(key).subscribe(
                { value in if value == key { answers.change { $0 += 1 } } },
                done: { _ in
                    last.yield()
                }
            ).store(in: tokens)
        }
        var count = 0
        for await _ in finished {
            count += 1
            if count == 2_000 { break }
        }
        print("pooled: \(pooled.statistics.joined) of 2,000 gets joined")
        #expect(pooled.statistics.joined > 0)
        #expect(answers.value == 2_000 && pooled.underWay == 0)
        #expect(twice.value == 0)
    }
}
