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
