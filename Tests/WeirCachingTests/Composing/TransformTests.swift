import Foundation
import Testing
import Weir

@testable import WeirCaching

/// Keys, values, conditions and post-processes around a level; contract 9.
@Suite struct TransformTests {
    let memory = MemoryLevel<String, String>(limit: 1_000)
    struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }

    static let number = TwoWay<String, Int>(
        { text in
            guard let number = Int(text) else { throw Odd() }
            return number
        },
        inverse: { number in
            guard number.isMultiple(of: 2) else { throw Odd() }
            return "\(number)"
        })

    @Test func keysAndValuesAreTransformedInAllCalls() async throws {
        let cache = memory.transformKeys { (key: Int) in "key \(key)" }.transformValues(Self.number)
        try await cache.set(CacheEntry(2, cost: 50, expiry: .distantFuture), forKey: 1)
        let held = try #require(memory.held("key 1"))
        #expect(held.value == "2" && held.expiry == .distantFuture && memory.used == 1, "the cost is counted anew")
        let entry = try await cache.entry(forKey: 1)
        #expect(entry.value == 2 && entry.expiry == .distantFuture && entry.stored == held.stored)
        try await cache.remove(1)
        #expect(memory.count == 0)
        try await cache.set(4, forKey: 2)
        #expect(cache.statistics.hits == 2, "one by the get, one by the look above")
        cache.onMemoryPressure(.warning)
        #expect(memory.count == 0)
        try await cache.set(4, forKey: 2)
        try await cache.clear()
        #expect(memory.count == 0)
    }

    @Test func aSourceNeedsOneWayOnlyAndStaysASource() async throws {
        let source = Fetcher<String, String> { $0 }
        let numbers: some FetcherLevel<Int, Int> = source.pooled().transformKeys { (key: Int) in "\(key)" }
            .transformValues(Self.number).transformValues(OneWay<Int, Int> { $0 * 10 }).transformValues { $0 + 1 }
            .conditionedValueTransformation(KeyedOneWay { key, value in key * 1_000 + value })
        #expect(try await numbers.value(forKey: 3) == 3_031)
        try await numbers.set(1, forKey: 3)
        try await numbers.remove(3)
        try await numbers.clear()
        #expect(try await numbers.value(forKey: 3) == 3_031)
    }

    @Test func theKeyIsSeenInBothDirections() async throws {
        let cache = memory.conditionedValueTransformation(
            KeyedTwoWay({ key, value in "\(value) of \(key)" }, inverse: { key, value in "\(key)=\(value)" }))
        try await cache.set("A", forKey: "a")
        #expect(memory.held("a")?.value == "a=A")
        #expect(try await cache.value(forKey: "a") == "a=A of a")
    }

    @Test func aPostProcessActsOnGetsOnly() async throws {
        let cache = memory.postProcess { $0 + "!" }.conditionedPostProcess(KeyedOneWay { key, value in key + value })
        try await cache.set("A", forKey: "a")
        #expect(memory.held("a")?.value == "A")
        #expect(try await cache.value(forKey: "a") == "aA!")
        let some = memory.conditionedPostProcess(
            KeyedOneWay<String, String, String>(OneWay<String, String> { $0 + "?" }).conditioned { $0 != "a" })
        #expect(
            await failure { () async throws(CacheError) in try await some.value(forKey: "a") }
                == "\(CacheError.conditionNotSatisfied)")
    }

    @Test(arguments: [false, true]) func aConditionActsOnGetsOnly(waits: Bool) async throws {
        let isOn = Noted(false)
        let asked = Noted<[String]>([])
        let inner =
            waits
            ? memory.conditioned { key in
                await Task.yield()
                asked.append(key)
                return isOn.value
            }.normalized()
            : memory.conditioned { key in
                asked.append(key)
                return isOn.value
            }.normalized()
        let cache = inner.compose(Fetcher { "loaded \($0)" })
        try await inner.set("A", forKey: "a")
        #expect(memory.held("a")?.value == "A" && asked.value.isEmpty)
        #expect(try await cache.value(forKey: "a") == "loaded a")
        try await inner.set("A", forKey: "a")
        isOn.change { $0 = true }
        #expect(try await cache.value(forKey: "a") == "A" && asked.value.allSatisfy { $0 == "a" })
        try await inner.remove("a")
        #expect(memory.count == 0)
    }

    enum Failing: CaseIterable { case condition, key, value, keyed, process, keyedProcess }

    /// Contract 9: what fails makes the level a miss, with its error where nothing below answers.
    @Test(arguments: Failing.allCases, [false, true]) func whatFailsMakesTheLevelAMiss(
        kind: Failing, waits: Bool
    ) async throws {
        memory.fill("a")
        let fails: @Sendable () async throws -> Void = {
            if waits { await Task.yield() }
            throw Odd()
        }
        let process = OneWay<String, String> { _ in
            try await fails()
            return ""
        }
        let level: AnyLevel<String, String> =
            switch kind {
            case .condition:
                AnyLevel(
                    memory.conditioned { _ in
                        try await fails()
                        return true
                    })
            case .key: AnyLevel(memory.transformKeys(process))
            case .value: AnyLevel(memory.transformValues(TwoWay(process, inverse: process)))
            case .keyed:
                AnyLevel(
                    memory.conditionedValueTransformation(
                        KeyedTwoWay(KeyedOneWay(process), inverse: KeyedOneWay(process))))
            case .process: AnyLevel(memory.postProcess(process))
            case .keyedProcess: AnyLevel(memory.conditionedPostProcess(KeyedOneWay(process)))
            }
        let error = kind == .condition ? "odd" : "could not transform the value: odd"
        #expect(await failure { () async throws(CacheError) in try await level.value(forKey: "a") } == error)
        let cache = level.compose(Fetcher { "loaded \($0)" })
        #expect(try await cache.value(forKey: "a") == "loaded a")
        #expect(cache.ledger.isQuiet)
    }

    /// Contract 9: a set through an inverse that fails is a set that fails, and stores nothing.
    @Test func aSetThroughAFailingInverseFails() async throws {
        let cache = memory.transformValues(Self.number)
        let keyed = memory.conditionedValueTransformation(KeyedTwoWay(Self.number))
        let words = "could not transform the value: odd"
        for cache in [AnyLevel(cache), AnyLevel(keyed)] {
            #expect(await failure { () async throws(CacheError) in try await cache.set(3, forKey: "a") } == words)
            #expect(memory.count == 0)
        }
        let other = MemoryLevel<String, Int>(limit: 100)
        let both = other.compose(cache)
        #expect(await failure { () async throws(CacheError) in try await both.set(3, forKey: "a") } == words)
        #expect(other.held("a")?.value == 3, "all levels were tried")
        try await both.set(4, forKey: "a")
        #expect(try await cache.value(forKey: "a") == 4)
    }
}
