import Foundation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@testable import WeirCaching

/// `close(within:)`: refuse, drain, then cut; from the top down, so that what is under way finds the levels below.
@Suite struct ClosingTests {
    typealias Cache = AnyLevel<String, String>
    let clock = VirtualClock()
    let hand = HandLevel()

    static let refusal = "failed(\(CacheError.closed))"

    enum Arrangement: CaseIterable {
        case composed, pooled, expiring, all, fetcher, level, keys, values, process, condition, limited, switched
        case refreshing, failures, logged

        func cache(over hand: HandLevel) -> Cache {
            let memory = MemoryLevel<String, String>(limit: 1_000)
            return switch self {
            case .composed: AnyLevel(memory.compose(hand))
            case .pooled: AnyLevel(hand.pooled())
            case .expiring: hand.normalized().expiring(after: .seconds(60))
            case .all:
                AnyLevel(memory.compose(memory).compose(hand).expiring(after: .seconds(60)).pooled().normalized())
            case .keys: AnyLevel(hand.transformKeys { (key: String) in key })
            case .values: AnyLevel(hand.transformValues(TwoWay<String, String>({ $0 }, inverse: { $0 })))
            case .process: AnyLevel(hand.postProcess { $0 })
            case .condition: AnyLevel(hand.conditioned { _ in true })
            case .limited: AnyLevel(hand.limited(maxConcurrent: 1))
            case .switched: AnyLevel(hand.switch(with: memory) { _ in .first })
            case .refreshing: AnyLevel(hand.refreshing(staleAfter: .seconds(1)))
            case .failures: AnyLevel(hand.cachingFailures(for: .seconds(1)))
            case .logged: AnyLevel(hand.logged())
            case .fetcher: AnyLevel(Fetcher { key in try await hand.value(forKey: key) })
            case .level: AnyLevel(Level(get: { key in try await hand.value(forKey: key) }))
            }
        }
    }

    func close(_ cache: Cache, within time: Duration) async -> (Task<Void, Never>, Noted<Bool>) {
        let isClosed = Noted(false)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let closing = Task { [clock] in
            beginning.yield()
            await cache.close(within: time, on: clock)
            isClosed.change { $0 = true }
        }
        for await _ in begun { break }
        return (closing, isClosed)
    }

    @Test(arguments: Arrangement.allCases) func whatIsUnderWayEndsAndWhatComesLaterIsRefused(
        arrangement: Arrangement
    ) async {
        let cache = arrangement.cache(over: hand)
        let early = Heard(cache.get("a"))
        let later = cache.get("b")
        await until { hand.waiting == 1 }
        let (closing, isClosed) = await close(cache, within: .seconds(5))
        await clock.untilScheduled(1)
        let refused = Heard(later)
        #expect(refused.signals.value == [Self.refusal] && hand.loads == 1)
        #expect(!isClosed.value && early.signals.value == [])
        hand.answer(.success("A"))
        await closing.value
        await until { early.signals.value.count == 2 }
        #expect(early.signals.value == ["A", "finished"])
        #expect(clock.scheduledCount == 0)
        #expect(
            await failure { () async throws(CacheError) in try await cache.value(forKey: "a") }
                == "\(CacheError.closed)")
        await cache.close(within: .seconds(5), on: clock)
    }

    @Test(arguments: Arrangement.allCases) func whatIsStillUnderWayAfterTheTimeIsCut(arrangement: Arrangement) async {
        let cache = arrangement.cache(over: hand)
        let early = Heard(cache.get("a"))
        await until { hand.waiting == 1 }
        let (closing, isClosed) = await close(cache, within: .seconds(5))
        await clock.untilScheduled(1)
        clock.advance(by: .milliseconds(4_999))
        #expect(early.signals.value == [] && !isClosed.value)
        clock.advance(by: .milliseconds(1))
        await closing.value
        #expect(early.signals.value == [Self.refusal])
        await until { hand.cancels == 1 }
        #expect(clock.scheduledCount == 0)
    }

    @Test(arguments: ["no time", "a second close", "a cancelled task"]) func itMayBeCutAtOnce(how: String) async {
        let cache = Arrangement.all.cache(over: hand)
        let early = Heard(cache.get("a"))
        if how == "no time" {
            await cache.close(within: .zero)
        } else {
            let (closing, _) = await close(cache, within: .seconds(Int64.max))
            await clock.untilScheduled(1)
            if how == "a cancelled task" { closing.cancel() } else { await cache.close(within: .zero) }
            await closing.value
        }
        #expect(early.signals.value == [Self.refusal] && hand.cancels == 1 && clock.scheduledCount == 0)
    }

    /// A load that is under way still writes above, although the cache refuses everybody else.
    @Test func aLoadUnderWayIsWrittenBackBeforeTheLevelsClose() async throws {
        let folder = try Folder()
        let disk = DiskLevel<String, String>(directory: folder.url, limit: 100_000)
        let cache = AnyLevel(disk.compose(hand))
        let early = Heard(cache.get("a"))
        await until { hand.waiting == 1 }
        let (closing, _) = await close(cache, within: .seconds(5))
        await clock.untilScheduled(1)
        hand.answer(.success("A"))
        await closing.value
        #expect(early.signals.value == ["A", "finished"])
        let again = DiskLevel<String, String>(directory: folder.url, limit: 100_000)
        #expect(try await again.value(forKey: "a") == "A")
        #expect(
            await failure { () async throws(CacheError) in try await disk.value(forKey: "a") } == "\(CacheError.closed)"
        )
    }

    /// Every call of every level is refused, hits included, and by its own name.
    @Test(arguments: 0..<15) func everyCallIsRefused(kind: Int) async throws {
        let folder = try Folder()
        let memory = MemoryLevel<String, String>(limit: 1_000)
        try await memory.set("A", forKey: "a")
        let cache =
            switch kind {
            case 0: AnyLevel(memory)
            case 1: AnyLevel(DiskLevel<String, String>(directory: folder.url, limit: 100_000))
            case 2: AnyLevel(memory.compose(hand))
            case 3: AnyLevel(memory.pooled())
            case 4: AnyLevel(Opaque(memory)).expiring(after: .seconds(60))
            case 5: AnyLevel(memory.transformKeys { (key: String) in key })
            case 6: AnyLevel(memory.transformValues(TwoWay<String, String>({ $0 }, inverse: { $0 })))
            case 7: AnyLevel(memory.postProcess { $0 })
            case 8: AnyLevel(memory.conditioned { _ in true })
            case 9: AnyLevel(memory.limited(maxConcurrent: 1))
            case 10: AnyLevel(memory.switch(with: memory) { _ in .second })
            case 11: AnyLevel(memory.refreshing(staleAfter: .seconds(1)))
            case 12: AnyLevel(memory.cachingFailures(for: .seconds(1)))
            case 13: AnyLevel(memory.logged())
            default: AnyLevel(Level<String, String>(get: { _ in "A" }))
            }
        await cache.close(within: .seconds(5), on: clock)
        #expect(cache.held("a") == nil)
        let commands: [Observable<Never, CacheError>] = [
            cache.set("B", forKey: "a"), cache.remove("a"), cache.clear(),
        ]
        for command in commands {
            let heard = Heard(command)
            await until { !heard.signals.value.isEmpty }
            #expect(heard.signals.value == [Self.refusal])
        }
        let heard = Heard(cache.entry("a"))
        await until { !heard.signals.value.isEmpty }
        #expect(heard.signals.value == [Self.refusal])
        #expect(hand.loads == 0 && folder.files.isEmpty)
    }

    /// A level whose lifetime a wrapper has to watch.
    struct Opaque: CacheLevel {
        let base: MemoryLevel<String, String>
        init(_ base: MemoryLevel<String, String>) { self.base = base }
        func entry(_ key: String) -> Observable<CacheEntry<String>, CacheError> { base.entry(key) }
        func set(_ entry: CacheEntry<String>, forKey key: String) -> Observable<Never, CacheError> {
            base.set(entry, forKey: key)
        }
        func remove(_ key: String) -> Observable<Never, CacheError> { base.remove(key) }
        func clear() -> Observable<Never, CacheError> { base.clear() }
    }
}
