import Foundation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@testable import WeirCaching

/// Caches of random levels against a plain model: what a get may answer, by the writes and loads before and beside it.
///
/// Gets, sets, removes, clears and cancels of three keys at random instants of virtual time, over levels that take their
/// time. `WEIR_SEED` sets where the numbers start; a failure prints its own.
@Suite struct CacheModelTests {
    static let seed: UInt64 = setting("WEIR_SEED", or: 20_261_130)

    @Test func aGetAnswersWhatTheModelAllows() {
        print("caches against the model: WEIR_SEED=\(Self.seed)")
        var total = CacheHistory.Counts()
        for offset in 0..<400 {
            let seed = Self.seed &+ UInt64(offset)
            let run = CacheRun(seed: seed)
            run.run()
            #expect(run.history.wrong == [], "WEIR_SEED=\(seed): \(run.shape)")
            #expect(run.history.unanswered == 0, "WEIR_SEED=\(seed): \(run.shape)")
            total.add(run.history.counts)
            if !run.history.wrong.isEmpty { break }
        }
        print("caches against the model: \(total)")
        #expect(total.overlaps > 100 && total.stored > 100 && total.loaded > 100 && total.failed > 10)
    }
}

/// One cache and its calls.
private final class CacheRun: Sendable {
    static let life = 20.0
    let clock = VirtualClock()
    static let staleAfter = 5.0
    let history: CacheHistory
    let random: Noted<Seeded>
    let cache: AnyLevel<String, String>
    let shape: String
    let tokens = SubscriptionBag()

    init(seed: UInt64) {
        let random = Noted(Seeded(seed))
        let clock = clock
        let isRefreshing = random.change { $0.oneIn(3) }
        let history = CacheHistory(life: Self.life, staleAfter: isRefreshing ? Self.staleAfter : nil)
        let now: @Sendable () -> Date = { Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) }
        let source = SlowSource(clock: clock, random: random, history: history)
        var cache = source.normalized()
        var shape = "source"
        for _ in 0...random.change({ $0.below(3) }) {
            (cache, shape) = Self.wrapped(cache, shape, random, now)
            let isSlow = random.change { $0.oneIn(2) }
            cache =
                isSlow
                ? AnyLevel(SlowLevel(clock: clock, random: random, now: now).compose(cache))
                : AnyLevel(MemoryLevel<String, String>(limit: 1_000, now: now).compose(cache))
            shape = (isSlow ? "slow" : "memory") + ".compose(\(shape))"
            (cache, shape) = Self.wrapped(cache, shape, random, now)
        }
        if isRefreshing {
            cache = AnyLevel(cache.refreshing(staleAfter: .seconds(Self.staleAfter), now: now))
            shape += ".refreshing"
        }
        self.random = random
        self.history = history
        self.cache = cache.expiring(after: .seconds(Self.life), now: now)
        self.shape = shape
    }

    static let marked = TwoWay<String, String>({ $0 + ">" }, inverse: { String($0.dropLast()) })

    static func wrapped(
        _ cache: AnyLevel<String, String>, _ shape: String, _ random: Noted<Seeded>,
        _ now: @escaping @Sendable () -> Date
    ) -> (AnyLevel<String, String>, String) {
        switch random.change({ $0.below(10) }) {
        case 0: (AnyLevel(cache.pooled()), shape + ".pooled")
        case 1: (AnyLevel(cache.limited(maxConcurrent: 2)), shape + ".limited")
        case 2: (AnyLevel(cache.transformKeys { (key: String) in key }), shape + ".transformKeys")
        case 3: (AnyLevel(cache.transformValues(marked).transformValues(marked.inverted)), shape + ".transformValues")
        case 5: (AnyLevel(cache.cachingFailures(for: .seconds(4), now: now)), shape + ".cachingFailures")
        case 6: (AnyLevel(cache.pooled()), shape + ".pooled")
        case 7:
            (AnyLevel(cache.switch(with: MemoryLevel(limit: 9)) { _ in .first }), shape + ".switch")
        default: (cache, shape)
        }
    }

    func run() {
        for number in 0..<60 {
            let (kind, key, delay, life) = random.change {
                ($0.below(10), $0.pick(["a", "b", "c"]), $0.below(60_000), $0.below(4_000))
            }
            _ = clock.schedule(after: .milliseconds(delay)) { [self] in call(number, kind, key, life) }
        }
        // Long enough for every call, and bounded: an endless one is found.
        clock.advance(by: .seconds(300))
        let history = history
        withExtendedLifetime(cache) { history.settle() }
    }

    private func call(_ number: Int, _ kind: Int, _ key: String, _ life: Int) {
        let time: @Sendable () -> Double = { [clock] in clock.now.offset / .seconds(1) }
        let command: Observable<Never, CacheError>
        switch kind {
        case 0...5:
            let get = history.beginGet(key, at: time())
            let token = cache.get(key).subscribe(
                { [history] in history.end(get, .success($0), at: time()) },
                done: { [history] in
                    if case .failed(let error) = $0 { history.end(get, .failure(error), at: time()) }
                })
            if kind == 5 {
                _ = clock.schedule(after: .milliseconds(life)) { [history] in
                    history.cancel(get)
                    token.cancel()
                }
            } else {
                token.store(in: tokens)
            }
            return
        case 6, 7: command = cache.set("set \(number)", forKey: key)
        case 8: command = cache.remove(key)
        default: command = number.isMultiple(of: 2) ? cache.clear() : cache.remove(key)
        }
        let isClear = kind == 9 && number.isMultiple(of: 2)
        let write = history.beginWrite(
            isClear ? nil : key, kind == 6 || kind == 7 ? "set \(number)" : nil, at: time())
        command.subscribe({ _ in }, done: { [history] _ in history.endWrite(write, at: time()) }).store(in: tokens)
    }
}

/// A source that takes its time, counts its loads, and fails now and then.
private struct SlowSource: FetcherLevel {
    let clock: VirtualClock
    let random: Noted<Seeded>
    let history: CacheHistory

    func entry(_ key: String) -> Observable<CacheEntry<String>, CacheError> {
        .deferred {
            let load = history.beginLoad(key, at: clock.now.offset / .seconds(1))
            let (delay, fails) = random.change { ($0.below(3_000), $0.oneIn(6)) }
            return Observable<Int, Never>.timer(.milliseconds(delay), on: clock).setFailureType(to: CacheError.self)
                .map { _ throws(CacheError) in
                    history.endLoad(load, at: clock.now.offset / .seconds(1))
                    if fails { throw .fetch(.noData, from: key) }
                    return CacheEntry("load \(load)")
                }
        }
    }
}

/// A level whose calls take effect some time after they begin, and end some time after that.
private struct SlowLevel: CacheLevel {
    let clock: VirtualClock
    let random: Noted<Seeded>
    let now: @Sendable () -> Date
    let entries = Noted<[String: CacheEntry<String>]>([:])

    private func later() -> Observable<Int, CacheError> {
        .deferred {
            let delay = random.change { $0.below(1_500) }
            return Observable<Int, Never>.timer(.milliseconds(delay), on: clock).setFailureType(to: CacheError.self)
        }
    }

    func entry(_ key: String) -> Observable<CacheEntry<String>, CacheError> {
        later().map { _ throws(CacheError) in
            let moment = now()
            let found = entries.change { entries -> CacheEntry<String>? in
                if entries[key]?.isExpired(at: moment) == true { entries[key] = nil }
                return entries[key]
            }
            guard let found else { throw .notFound }
            return found
        }
    }

    private func act(_ action: @escaping @Sendable () -> Void) -> Observable<Never, CacheError> {
        later().flatMap { _ -> Observable<Int, CacheError> in
            action()
            return later()
        }.compactMap { _ in nil }
    }

    func set(_ entry: CacheEntry<String>, forKey key: String) -> Observable<Never, CacheError> {
        act { entries.change { $0[key] = entry } }
    }
    func remove(_ key: String) -> Observable<Never, CacheError> { act { entries.change { $0[key] = nil } } }
    func clear() -> Observable<Never, CacheError> { act { entries.change { $0 = [:] } } }
}
