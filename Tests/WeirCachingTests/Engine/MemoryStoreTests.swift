import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

@Suite struct MemoryStoreTests {
    typealias Store = MemoryStore<String, String>

    struct Gone: Equatable, Sendable {
        var key: String
        var value: String
        var cause: RemovalCause
        init(_ key: String, _ value: String, _ cause: RemovalCause) {
            self.key = key
            self.value = value
            self.cause = cause
        }
    }

    let clock = HandClock()
    let gone = Noted<[Gone]>([])

    func store(limit: Int) -> Store {
        Store(limit: limit, now: clock.now) { [gone] key, entry, cause in gone.append(Gone(key, entry.value, cause)) }
    }

    func value(_ store: Store, _ key: String) -> String? {
        guard case .hit(let entry) = store.find(key) else { return nil }
        return entry.value
    }

    @Test func everyRemovalHasItsTrueCauseOnce() {
        let store = store(limit: 3)
        for key in ["a", "b", "c", "d"] { #expect(store.insert(CacheEntry(key), cost: 1, forKey: key)) }
        // Since the warm fill a is in small, b and c are in main, which is just full: the small one goes.
        #expect(gone.value == [Gone("a", "a", .evicted)])
        _ = store.insert(CacheEntry("D", expiry: Date(timeIntervalSince1970: 5)), cost: 1, forKey: "d")
        clock.set(5)
        guard case .expired = store.find("d") else {
            Issue.record("at its expiry an entry is over")
            return
        }
        store.remove("c")
        store.remove("c")
        store.clear(.pressure)
        let rest = [
            Gone("d", "d", .replaced), Gone("d", "D", .expired), Gone("c", "c", .removed), Gone("b", "b", .pressure),
        ]
        #expect(Array(gone.value.dropFirst()) == rest)
        #expect(store.used == 0 && store.count == 0)
        let statistics = store.statistics
        #expect(statistics.hits == 0 && statistics.misses == 1)
        #expect(RemovalCause.allCases.map { statistics.removals[$0] } == [1, 1, 1, 1, 0, 1, 0])
    }

    @Test func anEntryOverTheLimitIsRefusedAndWhatIsThereStays() {
        let store = store(limit: 10)
        #expect(store.insert(CacheEntry("old"), cost: 10, forKey: "a"))
        #expect(!store.insert(CacheEntry("new"), cost: 11, forKey: "a"))
        #expect(!store.insert(CacheEntry("new"), cost: .max, forKey: "b"))
        #expect(value(store, "a") == "old" && gone.value.isEmpty)
    }

    @Test func aReplacementIsCountedOnceAndEvictsOnlyForItsGrowth() {
        let store = store(limit: 10)
        for key in ["a", "b", "c"] { _ = store.insert(CacheEntry("1"), cost: 3, forKey: key) }
        _ = store.insert(CacheEntry("2"), cost: 4, forKey: "a")
        #expect(store.used == 10 && store.count == 3)
        _ = store.insert(CacheEntry("3"), cost: 1, forKey: "a")
        #expect(store.used == 7 && store.count == 3)
        _ = store.insert(CacheEntry("4"), cost: 10, forKey: "a")
        #expect(store.used == 10 && store.count == 1)
        #expect(value(store, "a") == "4")
        #expect(gone.value.map(\.cause) == [.replaced, .replaced, .replaced, .evicted, .evicted])
    }

    @Test(arguments: [0, -5, 1, .min]) func costsBelowOneCountAsOne(number: Int) {
        let store = store(limit: 1)
        #expect(store.insert(CacheEntry("x"), cost: number, forKey: "a"))
        #expect(store.insert(CacheEntry("y"), cost: number, forKey: "b"))
        #expect(store.used == 1 && store.count == 1)
    }

    @Test func canonicallyEqualStringsAreOneKey() {
        let store = store(limit: 10)
        _ = store.insert(CacheEntry("one"), cost: 1, forKey: "caf\u{E9}")
        #expect(value(store, "cafe\u{301}") == "one")
        #expect("caf\u{E9}".cacheBytes == "cafe\u{301}".cacheBytes)
    }

    /// What a value's deinit does must not meet the store's own lock.
    @Test func aValueMayUseTheStoreWhileItIsLetGo() {
        final class Loud: Sendable {
            let act: @Sendable () -> Void
            init(_ act: @escaping @Sendable () -> Void) { self.act = act }
            deinit { act() }
        }
        let calls = Noted(0)
        let store = MemoryStore<Int, Loud>(limit: 2, now: { Date() }, listener: nil)
        for key in 0..<6 {
            let loud = Loud { [weak store] in
                calls.change { $0 += 1 }
                _ = store?.find(0)
                store?.remove(1)
            }
            _ = store.insert(CacheEntry(loud), cost: 1, forKey: key % 4)
        }
        store.clear(.cleared)
        #expect(calls.value == 6)
    }

    @Test func threadsKeepTheAccountExact() async {
        let store = MemoryStore<Int, Int>(limit: 500, now: { Date() }, listener: nil)
        await race("a memory store", threads: 4, rounds: 20_000) { thread, round in
            var numbers = Seeded(UInt64(thread * 1_000_000 + round))
            let key = Int.random(in: 0..<300, using: &numbers)
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0: store.remove(key)
            case 1...4: _ = store.insert(CacheEntry(key), cost: 1 + key % 7, forKey: key)
            default: if case .hit(let entry) = store.find(key), entry.value != key { store.clear(.corrupt) }
            }
        }
        let held = (0..<300).filter { if case .hit = store.find($0) { true } else { false } }
        #expect(held.count == store.count)
        #expect(held.reduce(0) { $0 + 1 + $1 % 7 } == store.used && store.used <= 500)
        #expect(store.statistics.removals[.corrupt] == 0)
    }
}
