import Foundation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@testable import WeirCaching

/// Contract 2, and lifetimes in every arrangement.
@Suite struct ExpiringTests {
    let clock = VirtualClock()
    var now: @Sendable () -> Date { { [clock] in Date(timeIntervalSince1970: clock.now.offset.seconds) } }

    func memory() -> MemoryLevel<String, String> { MemoryLevel(limit: 1_000, now: now) }

    @Test func twoLevelsWithALifeOf60Seconds() async throws {
        let folder = try Folder()
        let upper = memory()
        let lower = DiskLevel<String, String>(directory: folder.url, limit: 100_000, now: now)
        let cache = upper.compose(lower).expiring(after: .seconds(60), now: now)
        try await cache.set("A", forKey: "a")
        clock.advance(by: .seconds(59))
        #expect(try await cache.value(forKey: "a") == "A")
        clock.advance(by: .milliseconds(500))
        try await upper.clear()
        let promoted = try await cache.entry(forKey: "a")
        #expect(promoted.expiry == Date(timeIntervalSince1970: 60) && promoted.stored == Date(timeIntervalSince1970: 0))
        #expect(upper.held("a")?.expiry == Date(timeIntervalSince1970: 60))
        clock.advance(by: .milliseconds(500))
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } == "found, but expired")
        #expect(upper.count == 0 && lower.count == 0)
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") }
                == "not found in any level")
    }

    /// Whichever way round the wrappers stand, what is over is loaded anew, and only then.
    @Test(arguments: 0..<5) func whatIsOverIsLoadedAgain(arrangement: Int) async throws {
        let loads = Noted(0)
        let source = Fetcher<String, String> { key in
            let count = loads.change { loads in
                loads += 1
                return loads
            }
            return "\(key)\(count)"
        }
        let life = Duration.seconds(60)
        let cache =
            switch arrangement {
            case 0: memory().compose(source).expiring(after: life, now: now)
            case 1: memory().compose(memory()).compose(source).expiring(after: life, now: now).pooled().normalized()
            case 2: memory().compose(memory()).compose(source).pooled().expiring(after: life, now: now)
            case 3: memory().compose(source.expiring(after: life, now: now)).normalized()
            default: AnyLevel(Opaque(base: memory().compose(source).normalized())).expiring(after: life, now: now)
            }
        #expect(try await cache.value(forKey: "a") == "a1")
        clock.advance(by: .milliseconds(59_999))
        #expect(try await cache.value(forKey: "a") == "a1")
        clock.advance(by: .milliseconds(1))
        #expect(try await cache.value(forKey: "a") == "a2")
        clock.advance(by: .seconds(59))
        #expect(try await cache.value(forKey: "a") == "a2")
        #expect(loads.value == 2)
    }

    /// A level of somebody who never heard of lifetimes.
    struct Opaque: CacheLevel {
        let base: AnyLevel<String, String>
        func entry(_ key: String) -> Observable<CacheEntry<String>, CacheError> { base.entry(key) }
        func set(_ entry: CacheEntry<String>, forKey key: String) -> Observable<Never, CacheError> {
            base.set(entry, forKey: key)
        }
        func remove(_ key: String) -> Observable<Never, CacheError> { base.remove(key) }
        func clear() -> Observable<Never, CacheError> { base.clear() }
    }

    /// A lifetime that no calendar can add counts as 136 years, in memory and on disk.
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero]) func anOddLifetimeIsBounded(
        life: Duration
    ) async throws {
        let folder = try Folder()
        let disk = DiskLevel<String, String>(directory: folder.url, limit: 100_000, now: now)
        let cache = memory().compose(disk).expiring(after: life, now: now)
        try await cache.set("A", forKey: "a")
        let found = await failure { () async throws(CacheError) in try await cache.value(forKey: "a") }
        #expect(found == (life > .zero ? nil : "found, but expired"))
        #expect(clock.now.offset == .zero)
        if life > .zero {
            #expect(try await cache.entry(forKey: "a").expiry == Date(timeIntervalSince1970: 4_294_967_296))
            #expect(try await disk.entry(forKey: "a").expiry == Date(timeIntervalSince1970: 4_294_967_296))
        }
    }

    @Test func theEarlierDeadlineWins() async throws {
        let cache = memory().expiring(after: .seconds(60), now: now)
        let own = CacheEntry("A", expiry: Date(timeIntervalSince1970: 10))
        try await cache.set(own, forKey: "a")
        try await cache.set(CacheEntry("B", expiry: Date(timeIntervalSince1970: 100)), forKey: "b")
        clock.advance(by: .seconds(10))
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } == "found, but expired")
        #expect(try await cache.entry(forKey: "b").expiry == Date(timeIntervalSince1970: 60))
        clock.advance(by: .seconds(50))
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "b") } == "found, but expired")
    }

    /// What was stored before the limit was set is judged by its age.
    @Test func olderEntriesAreJudgedByTheirAge() async throws {
        let memory = memory()
        try memory.insert(CacheEntry("A"), forKey: "a")
        clock.advance(by: .seconds(61))
        let cache = memory.expiring(after: .seconds(60), now: now)
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } == "found, but expired")
        #expect(memory.count == 0)
    }
}
