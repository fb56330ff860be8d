import Foundation
import Testing
import Weir

@testable import WeirCaching

/// Contract 8, and what a list of keys is otherwise.
@Suite struct BatchTests {
    let memory = MemoryLevel<String, String>(limit: 1_000)
    let hand = HandLevel()

    @Test func answersAreInTheOrderOfTheKeysAndARepeatedKeyLoadsOnce() {
        let get = Heard(hand.batch().get(["c", "a", "c", "b"]))
        #expect(hand.loads == 3)
        for value in ["C", "A", "B"] { hand.answer(.success(value)) }
        #expect(get.signals.value == [#"["C", "A", "C", "B"]"#, "finished"])
    }

    /// Whichever answers first, the order is that of the keys.
    @Test func theOrderIsThatOfTheKeysWhoeverAnswersFirst() async throws {
        let source = Fetcher<Int, Int> { key in
            for _ in 0..<(key == 0 ? 50 : key) { await Task.yield() }
            return key
        }
        let keys = [0, 3, 2, 1, 3]
        #expect(try await source.batch().value(forKey: keys) == keys)
        #expect(try await source.batchSome().value(forKey: keys) == keys)
        #expect(source.statistics.loads == 8)
    }

    @Test func theFirstFailureCancelsTheRest() {
        let get = Heard(hand.batch().get(["a", "b", "c"]))
        hand.answer(.success("A"))
        hand.answer(.failure(.notFound))
        #expect(get.signals.value == ["failed(not found in any level)"])
        #expect(hand.cancels == 1 && hand.waiting == 0)
    }

    @Test func someLeavesOutWhatFails() {
        let get = Heard(hand.batchSome().get(["a", "b", "c", "a"]))
        for answer in [Result<String, CacheError>.success("A"), .failure(.corrupt(key: "b")), .success("C")] {
            hand.answer(answer)
        }
        #expect(get.signals.value == [#"["A", "C", "A"]"#, "finished"])
    }

    @Test func noKeysAreNoValuesOnceAndNothingIsAsked() {
        #expect(Heard(hand.batch().get([])).signals.value == ["[]", "finished"])
        #expect(Heard(hand.batchSome().get([])).signals.value == ["[]", "finished"])
        #expect(hand.loads == 0)
    }

    @Test(arguments: [false, true]) func setPairsAndRemoveRemovesAll(isSome: Bool) async throws {
        let lists = isSome ? memory.batchSome().normalized() : memory.batch().normalized()
        try await lists.set(CacheEntry(["A", "B", "A2"], expiry: .distantFuture), forKey: ["a", "b", "a"])
        #expect(memory.held("a")?.value == "A2" && memory.held("b")?.value == "B" && memory.count == 2)
        #expect(memory.held("a")?.expiry == .distantFuture)
        try await memory.set("C", forKey: "c")
        try await lists.remove(["a", "b", "absent"])
        #expect(memory.count == 1 && memory.held("c")?.value == "C")
        try await lists.clear()
        #expect(memory.count == 0)
        for (keys, values) in [(["a"], []), ([], ["A"]), (["a", "b"], ["A"])] as [([String], [String])] {
            #expect(
                await failure { () async throws(CacheError) in try await lists.set(values, forKey: keys) }
                    == "\(keys.count) keys were given \(values.count) values; give each key of the list one value")
        }
        #expect(memory.count == 0)
    }

    @Test func aSetAndARemoveTryAllKeysAndFailWithTheFirstFailure() async throws {
        let calls = Noted<[String]>([])
        let level = Level<String, String>(
            get: { _ in nil },
            set: { value, key in
                calls.append(key)
                if key != "c" { throw CacheError.corrupt(key: key) }
            },
            remove: { key in
                calls.append(key)
                if key == "b" { throw CacheError.closed }
            })
        #expect(
            await failure { () async throws(CacheError) in
                try await level.batch().set(["A", "B", "C"], forKey: ["a", "b", "c"])
            } == "\(CacheError.corrupt(key: "a"))")
        #expect(Set(calls.value) == ["a", "b", "c"])
        #expect(
            await failure { () async throws(CacheError) in try await level.batch().remove(["a", "b", "c"]) }
                == "\(CacheError.closed)")
        #expect(calls.value.count == 6)
    }

    @Test func aListLivesAsLongAsItsShortestEntry() async throws {
        let moments = [5.0, 3, 4].map { Date(timeIntervalSince1970: 10_000_000_000 + $0) }
        for (key, moment) in Swift.zip(["a", "b", "c"], moments) {
            try memory.insert(CacheEntry(key, expiry: moment), forKey: key)
        }
        #expect(try await memory.batch().entry(forKey: ["a", "b", "c"]).expiry == moments[1])
        #expect(try await memory.batch().entry(forKey: ["a", "c"]).expiry == moments[2])
    }

    /// A cache of lists composes as any other; and a failing level above hides no hit (contract 8).
    @Test func listsComposeAndAFailingLevelAboveHidesNothing() async throws {
        let lists = MemoryLevel<[String], [String]>(limit: 1_000)
        try await memory.set("A", forKey: "a")
        let cache = BrokenLevel<[String], [String]>().compose(lists).compose(
            BrokenLevel<String, String>().compose(memory).batch())
        #expect(try await cache.value(forKey: ["a", "a"]) == ["A", "A"])
        #expect(lists.held(["a", "a"])?.value == ["A", "A"])
    }

    @Test func aHundredThousandKeysAreLinear() async throws {
        let keys = Array(0..<100_000)
        let numbers = MemoryLevel<Int, Int>(limit: 1_000_000)
        try await numbers.batch().set(keys, forKey: keys)
        #expect(numbers.count == 100_000)
        #expect(try await numbers.batch().value(forKey: keys) == keys)
        try await numbers.batch().remove(keys)
        #expect(numbers.count == 0)
    }
}
