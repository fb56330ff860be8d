import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Streams whose closures make streams of the same kind, level after level.
@Suite(.ownThread) struct NestingTests {
    typealias Level = @Sendable (_ stream: @escaping @Sendable () -> Observable<Int, Boom>) -> Observable<Int, Boom>

    /// How one level is built around the next.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let around: Level
        var testDescription: String { name }
        /// One operator a level; the others take longer.
        var isPlain: Bool { ["flatMap", "catch"].contains(name) }

        /// `levels` of it, each made when the one around it asks for it, around `base`.
        func build(_ levels: Int, _ base: Observable<Int, Boom>) -> Observable<Int, Boom> {
            levels == 0 ? base : around { build(levels - 1, base) }
        }
    }
    static let one = Observable<Int, Boom>.just(1)
    static let kinds: [Kind] = [
        Kind(name: "flatMap") { next in one.flatMap { _ in next() } },
        Kind(name: "flatMap, one at a time") { next in one.flatMap(maxConcurrent: 1) { _ in next() } },
        Kind(name: "flatMapLatest") { next in one.flatMapLatest { _ in next() } },
        Kind(name: "catch") { next in Observable<Int, Boom>.fail(Boom()).catch { _ in next() } },
        Kind(name: "flatMap in merge") { next in
            Observable.merge([one.flatMap { _ in next() }, .empty()])
        },
        Kind(name: "flatMap behind concat") { next in
            Observable<Int, Boom>.empty().concat(one.flatMap { _ in next() })
        },
        Kind(name: "flatMap in zip") { next in
            zip(one.flatMap { _ in next() }, one).map { (row: (Int, Int)) throws(Boom) in row.0 }
        },
        Kind(name: "flatMap under 50 maps") { next in
            (0..<50).reduce(one.flatMap { _ in next() }) { stream, _ in stream.map { $0 } }
        },
        Kind(name: "flatMap in a stream of one's own") { next in
            let inner = one.flatMap { _ in next() }
            return Observable { inner.attach($0) }
        },
    ]

    @Test(arguments: kinds) func aHundredThousandLevelsNeedLittleStack(kind: Kind) {
        let levels = kind.isPlain ? 100_000 : 3_000
        onThread(stack: 512) {
            let all = Probe(kind.build(levels, Observable<Int, Boom>(0..<2)), .unbounded)
            #expect(all.elements.first == 0 && all.end == .finished && all.faults == ProbeFaults())
            all.release()
            #expect(all.isReleased)
            let failing = Probe(kind.build(levels, .fail(Boom(code: 2))), 1)
            #expect(failing.end == .failed(Boom(code: 2)) && failing.faults == ProbeFaults())
        }
    }

    @Test(arguments: kinds) func theyCanBeAskedOneByOneAndCancelled(kind: Kind) {
        let levels = kind.isPlain ? 10_000 : 1_000
        onThread(stack: 512) {
            let counted = Probe(
                kind.build(levels, Observable<Int, Boom>(0..<3)), 1, onNext: { probe, _ in probe.request(1) })
            #expect(counted.elements.first == 0 && counted.end == .finished && counted.faults == ProbeFaults())
            let waiting = Probe(kind.build(levels, .never()), .unbounded)
            #expect(waiting.text == "" && !waiting.isReleased)
            waiting.release()
            #expect(waiting.isReleased)
            let cut = Probe(kind.build(levels, Observable(0...)), 1, onNext: { probe, _ in probe.cancel() })
            cut.release()
            #expect(cut.text == "0" && cut.isReleased)
        }
    }

    @Test(arguments: kinds) func aHotBaseDeliversThroughThemAndMayGo(kind: Kind) {
        let levels = kind.isPlain ? 10_000 : 1_000
        onThread(stack: 512) {
            var hot: PublishSubject<Int, Boom>? = PublishSubject()
            let base = hot?.observable ?? .empty()
            let listening = Probe(kind.build(levels, base), .unbounded)
            for number in 0..<3 { hot?.send(number) }
            #expect(listening.elements.first == 0 && listening.faults == ProbeFaults())
            hot = nil
            listening.release()
            #expect(listening.end == (kind.name.contains("zip") ? .finished : nil) && listening.isReleased)
        }
    }

    @Test func levelsThatEachComeFromATaskNeedLittleStack() async throws {
        @Sendable func count(_ left: Int) -> Observable<Int, Never> {
            Observable<Int, Never> { left }.flatMap { left in left == 0 ? .just(7) : count(left - 1) }
        }
        #expect(try await count(5_000).value == 7)
    }

    @Test func subjectsThatHandlersSendIntoAreCallsInsideCalls() {
        onThread(stack: 512) {
            let subjects = (0..<100).map { _ in PublishSubject<Int, Never>() }
            let bag = SubscriptionBag()
            for (from, to) in zip(subjects, subjects.dropFirst()) { from.subscribe { to.send($0 + 1) }.store(in: bag) }
            let last = Probe(subjects[99], .unbounded)
            subjects[0].send(0)
            #expect(last.text == "99")
        }
    }

    @Test func elementsOfEveryLevelComeInOrder() {
        @Sendable func count(_ left: Int) -> Observable<Int, Never> {
            if left == 0 { return .empty() }
            return Observable.just(left).concat(Observable.just(left).flatMap { count($0 - 1) })
        }
        onThread(stack: 512) {
            let all = Probe(count(1_000), .unbounded)
            #expect(
                all.elements == Array((1...1_000).reversed()) && all.end == .finished && all.faults == ProbeFaults())
            let counted = Probe(count(1_000), 1, onNext: { probe, _ in probe.request(1) })
            #expect(counted.elements == all.elements && counted.end == .finished && counted.faults == ProbeFaults())
        }
    }
}
