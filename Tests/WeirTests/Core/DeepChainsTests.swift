import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct DeepChainsTests {
    /// A way to put one stage over a stream.
    struct Stage: Sendable, CustomTestStringConvertible {
        let name: String
        let count: Int
        let add: @Sendable (Observable<Int, Never>) -> Observable<Int, Never>
        var testDescription: String { "\(count) \(name)" }
    }
    static let stages: [Stage] = [
        Stage(name: "map", count: 10_000) { $0.map { $0 } },
        Stage(name: "filter", count: 10_000) { $0.filter { _ in true } },
        Stage(name: "prefix", count: 10_000) { $0.prefix(1_000) },
        Stage(name: "merge", count: 500) { $0.merge(with: .empty()) },
        Stage(name: "concat", count: 500) { $0.concat(.empty()) },
        Stage(name: "flatMap", count: 500) { $0.flatMap { .just($0) } },
        Stage(name: "flatMapLatest", count: 500) { $0.flatMapLatest { .just($0) } },
        Stage(name: "zip", count: 500) { zip($0, Observable(0...)).map { $0.0 } },
        Stage(name: "combineLatest", count: 500) { combineLatest(.just(0), $0).map { $0.1 } },
        Stage(name: "catch", count: 500) { $0.setFailureType(to: Boom.self).replaceError(with: 0) },
        Stage(name: "share", count: 500) { $0.share() },
        Stage(name: "receive", count: 500) { $0.receive(on: .immediate) },
        Stage(name: "share over 100 maps", count: 100) { stream in
            (0..<100).reduce(stream.share()) { stream, _ in stream.map { $0 } }
        },
    ]

    @Test(arguments: stages) func aDeepChainNeedsLittleStack(stage: Stage) {
        onThread(stack: 512) {
            var stream = Observable<Int, Never>(0..<100)
            for _ in 0..<stage.count { stream = stage.add(stream) }
            let probe = Probe(stream, .unbounded)
            #expect(probe.elements == Array(0..<100) && probe.end == .finished && probe.faults == ProbeFaults())
            let counted = Probe(stream, 1, onNext: { probe, _ in probe.request(1) })
            #expect(counted.elements == Array(0..<100) && counted.end == .finished && counted.faults == ProbeFaults())
            let cancelled = Probe(stream, 1, onNext: { probe, _ in probe.cancel() })
            #expect(cancelled.text == "0")
            let hot = PublishSubject<Int, Never>()
            var over = hot.observable
            for _ in 0..<stage.count { over = stage.add(over) }
            let listening = Probe(over, .unbounded)
            for number in 0..<3 { hot.send(number) }
            #expect(listening.elements == [0, 1, 2])
            listening.release()
            #expect(listening.isReleased)
        }
    }

    @Test(arguments: [Demand.unbounded, 1]) func aHundredThousandStreamsAreMergedWithLittleStack(demand: Demand) {
        onThread(stack: 512) {
            let ask: @Sendable (Probe<Int, Never>, Int) -> Void = { probe, _ in if demand == 1 { probe.request(1) } }
            let merged = Probe(Observable.merge((0..<100_000).map { .just($0) }), demand, onNext: ask)
            #expect(merged.elements == Array(0..<100_000) && merged.end == .finished)
            #expect(merged.faults == ProbeFaults() && merged.isReleased)
            let chained = Probe(Observable.concat((0..<100_000).map { .just($0) }), demand, onNext: ask)
            #expect(chained.elements == merged.elements && chained.end == .finished)
            #expect(chained.faults == ProbeFaults() && chained.isReleased)
            let silent = (0..<100_000).map { _ in TestSource<Int, Never>([1], .silence) }
            let listening = Probe(Observable.merge(silent.map(\.observable)), demand, onNext: ask)
            #expect(listening.elements.count == 100_000)
            listening.release()
            #expect(listening.isReleased && silent.allSatisfy { $0.cancels == 1 })
        }
    }

    @Test func aHundredThousandStreamsAreJoinedWithLittleStack() {
        onThread(stack: 512) {
            let rows = Probe(zip((0..<100_000).map { Observable<Int, Never>([$0, -$0]) }), .unbounded)
            #expect(rows.elements == [Array(0..<100_000), (0..<100_000).map { -$0 }] && rows.end == .finished)
            #expect(rows.faults == ProbeFaults() && rows.isReleased)
            let latest = Probe(combineLatest((0..<100_000).map { Observable<Int, Never>.just($0) }), 1)
            #expect(latest.elements == [Array(0..<100_000)] && latest.end == .finished)
            #expect(latest.faults == ProbeFaults() && latest.isReleased)
        }
    }

    /// However deep each is: what answers at once comes from left to right.
    @Test(arguments: [100, 1_000]) func streamsOfAnyDepthStartFromLeftToRight(depth: Int) {
        func over(_ numbers: [Int]) -> Observable<Int, Never> {
            (0..<depth).reduce(Observable(numbers)) { stream, _ in stream.map { $0 } }
        }
        let flat = Observable.merge([
            .just(0), over([1, 2]), .just(3), Observable.merge([over([4]), .just(5)]), over([6]),
        ])
        #expect(Probe(flat.merge(with: .just(7)), .unbounded).text == "0 1 2 3 4 5 6 7 |")
        #expect(
            Probe((0..<depth).reduce(flat) { stream, _ in stream.map { $0 } }, .unbounded).text == "0 1 2 3 4 5 6 |")
        let pairs = combineLatest(over([1, 2]), .just(3), over([4, 5])).map { "\($0.0)\($0.1)\($0.2)" }
        #expect(Probe(pairs, .unbounded).text == "234 235 |")
    }

    @Test func anUnusedElementOfADeepChainIsAskedForAgain() {
        var stream = Observable<Int, Never>(0..<1_000)
        for _ in 0..<1_000 { stream = stream.map { $0 } }
        let probe = Probe(stream, 2, uses: { $0 % 300 == 299 })
        #expect(probe.elements.count == 600 && probe.faults == ProbeFaults())
    }

    @Test func aSendIntoAnotherDeepChainComesAfterTheElementInHand() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<Int, Never>())
        let order = Log()
        let second = Probe(deep(right.observable), .unbounded, onNext: { _, number in order.add("b\(number)") })
        let first = Probe(
            deep(left.observable), .unbounded,
            onNext: { _, number in
                right.send(number)
                order.add("a\(number)")
            })
        left.send(1)
        left.send(2)
        #expect("\(order)" == "a1, b1, a2, b2" && first.faults == ProbeFaults() && second.faults == ProbeFaults())
    }

    @Test func whatWaitsOnOneThreadIsNotOvertakenOnAnother() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<Int, Never>())
        let second = Probe(deep(right.observable), .unbounded)
        let first = Probe(
            deep(left.observable), .unbounded,
            onNext: { _, _ in
                right.send(1)
                onThread { right.send(2) }
                right.send(3)
            })
        left.send(0)
        #expect(second.text == "1 2 3" && first.faults == ProbeFaults())
    }

    @Test func demandFromTwoThreadsIsNotLost() {
        race("two threads ask a deep chain first", rounds: 300) { meet in
            let probe = Probe(deep(Observable<Int, Never>(0..<20)))
            return (
                [{ meet { probe.request(10) } }, { meet { probe.request(10) } }],
                { #expect(probe.elements.count == 20 && probe.end != nil && probe.faults == ProbeFaults()) }
            )
        }
    }

    private func deep(_ stream: Observable<Int, Never>) -> Observable<Int, Never> {
        (0..<250).reduce(stream) { stream, _ in stream.map { $0 } }
    }
}
