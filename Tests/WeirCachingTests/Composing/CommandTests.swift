import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

/// `set`, `remove` and `clear`: the async form acts now, the stream is cold and acts at each subscription.
@Suite struct CommandTests {
    /// A level that notes what it is told.
    static func noting(_ calls: Noted<[String]>) -> some CacheLevel<String, String> {
        Level<String, String>(
            get: { key in
                calls.append("get \(key)")
                return "A"
            },
            set: { value, key in calls.append("set \(key) \(value)") },
            remove: { key in calls.append("remove \(key)") }, clear: { calls.append("clear") })
    }

    @Test(arguments: [false, true]) func aStreamActsAtEachSubscriptionAndNotBefore(isComposed: Bool) async throws {
        let calls = Noted<[String]>([])
        let level = AnyLevel(Self.noting(calls))
        let cache = isComposed ? AnyLevel(MemoryLevel<String, String>(limit: 9).compose(level).pooled()) : level
        let commands: [Observable<Never, CacheError>] = [
            cache.set("A", forKey: "a"), cache.remove("a"), cache.clear(),
        ]
        #expect(calls.value == [])
        for command in commands + commands { #expect(try await command.first == nil) }
        #expect(calls.value == ["set a A", "remove a", "clear", "set a A", "remove a", "clear"])
    }

    @Test func theAsyncFormsActAtOnce() async throws {
        let calls = Noted<[String]>([])
        let cache = Self.noting(calls)
        try await cache.set("A", forKey: "a")
        try await cache.remove("a")
        try await cache.clear()
        #expect(try await cache.value(forKey: "a") == "A")
        #expect(calls.value == ["set a A", "remove a", "clear", "get a"])
    }

    @Test func cancellingTheTaskReachesUpstream() async {
        let hand = HandLevel(holdsSets: true)
        let cache = hand.pooled().normalized()
        let getting = Task { await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } }
        let setting = Task {
            await failure { () async throws(CacheError) in try await cache.set("A", forKey: "a") }
        }
        await until { hand.waiting == 1 && hand.waitingSets == ["A"] }
        getting.cancel()
        setting.cancel()
        #expect(await getting.value == "\(CacheError.cancelled)" && hand.cancels == 1)
        #expect(await setting.value == "\(CacheError.cancelled)")
    }
}
