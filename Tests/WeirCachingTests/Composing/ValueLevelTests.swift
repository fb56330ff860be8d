import Foundation
import Testing
import Weir

@testable import WeirCaching

@Suite struct ValueLevelTests {
    /// A level that knows values only.
    struct Shelf: ValueLevel {
        let values = Noted<[String: Int]>([:])
        func get(_ key: String) -> Observable<Int, CacheError> {
            Observable<Void, CacheError>.just(()).map { () throws(CacheError) in
                guard let value = values.value[key] else { throw .notFound }
                return value
            }
        }
        func set(_ value: Int, forKey key: String) -> Observable<Never, CacheError> {
            .command { values.change { $0[key] = value } }
        }
        func remove(_ key: String) -> Observable<Never, CacheError> { .command { values.change { $0[key] = nil } } }
        func clear() -> Observable<Never, CacheError> { .command { values.change { $0 = [:] } } }
    }

    @Test func aLevelThatKnowsValuesOnlyIsALevel() async throws {
        let shelf = Shelf()
        let cache = MemoryLevel<String, Int>(limit: 100).compose(shelf)
        try await cache.set(CacheEntry(1, expiry: .distantFuture), forKey: "a")
        #expect(shelf.values.value == ["a": 1])
        shelf.values.change { $0["b"] = 2 }
        #expect(try await cache.value(forKey: "b") == 2)
        #expect(try await shelf.entry(forKey: "b") == CacheEntry(2))
        try await shelf.set(3, forKey: "c")
        try await cache.remove("a")
        #expect(shelf.values.value == ["b": 2, "c": 3])
        try await cache.clear()
        #expect(shelf.values.value == [:])
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") }
                == "\(CacheError.notFound)")
    }

    /// Every composition passes pressure on to the levels that hold something.
    @Test(arguments: 0..<11) func pressureReachesTheLevelInside(kind: Int) async throws {
        let memory = MemoryLevel<String, String>(limit: 1_000)
        memory.fill("a")
        let cache: any CacheLevel =
            switch kind {
            case 0: memory.transformKeys { (key: String) in key }
            case 1: memory.transformValues(TwoWay<String, String>({ $0 }, inverse: { $0 }))
            case 2: memory.postProcess { $0 }
            case 3: memory.conditioned { _ in false }
            case 4: memory.limited(maxConcurrent: 1)
            case 5: memory.batch()
            case 6: Fetcher<String, String> { $0 }.switch(with: memory) { _ in .first }
            case 7: memory.refreshing(staleAfter: .seconds(1))
            case 8: memory.cachingFailures(for: .seconds(1))
            case 9: memory.logged()
            default: memory.expiring(after: .seconds(1)).pooled().compose(Fetcher { $0 }).normalized()
            }
        cache.onMemoryPressure(.warning)
        #expect(memory.count == 0)
    }
}
