import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct FlatMapTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.flatMap { .just($0) } } }
    @Test func rulesOneAfterTheOther() {
        expectRules("1 2 3 |") { $0.flatMap(maxConcurrent: 1) { Observable<Int, Boom>.just($0) } }
    }

    @Test func innerStreamsInterleave() {
        let inner = [PublishSubject<String, Never>(), PublishSubject<String, Never>()]
        let probe = Probe(Observable<Int, Never>([0, 1]).flatMap { inner[$0].observable }, .unbounded)
        inner[0].send("a1")
        inner[1].send("b1")
        inner[0].send("a2")
        inner[0].send(completion: .finished)
        #expect(probe.text == "a1 b1 a2")
        inner[1].send(completion: .finished)
        #expect(probe.text == "a1 b1 a2 |" && probe.isReleased)
    }

    @Test func atMostSoManyRunAndNoMoreAreAskedFor() {
        let upstream = TestSource<Int, Never>(Array(0..<5), .finish)
        let inner = (0..<5).map { _ in PublishSubject<Int, Never>() }
        let started = Log()
        let probe = Probe(
            upstream.observable.flatMap(maxConcurrent: 2) { index in
                started.add("\(index)")
                return inner[index].observable
            }, .unbounded)
        #expect("\(started)" == "0, 1" && upstream.calls == "attach, request 2")
        inner[1].send(completion: .finished)
        #expect("\(started)" == "0, 1, 2")
        inner[0].send(completion: .finished)
        inner[2].send(completion: .finished)
        inner[3].send(9)
        inner[3].send(completion: .finished)
        inner[4].send(completion: .finished)
        #expect(probe.text == "9 |")
    }

    @Test func oneAfterTheOtherKeepsTheirOrderWithoutDemand() {
        let stream = Observable<Int, Never>([1, 2, 3]).flatMap(maxConcurrent: 1) { Observable([$0 * 10, $0 * 10 + 1]) }
        let probe = Probe(stream, 3)
        #expect(probe.text == "10 11 20")
        probe.request(.unbounded)
        #expect(probe.text == "10 11 20 21 30 31 |")
    }

    @Test func boundedDemandKeepsInnerStreamsNearAndInTurn() {
        let inner = (0..<2).map { base in TestSource<Int, Never>((0..<100).map { base * 1_000 + $0 }, .finish) }
        let probe = Probe(Observable<Int, Never>(0..<2).flatMap { inner[$0].observable }, 1)
        #expect(inner[0].calls == "attach, request 32" && inner[1].calls == "attach, request 32")
        for _ in 1..<200 { probe.request(1) }
        #expect(Set(probe.elements).count == 200 && probe.end != nil && probe.faults == ProbeFaults())
        let firstHundred = probe.elements.prefix(100)
        #expect(firstHundred.count { $0 >= 1_000 } >= 40)
    }

    @Test func aFailureOfAnyCancelsTheOthersFirst() {
        let outer = TestSource<Int, Boom>([0, 1], .silence)
        let inner = TestSource<Int, Boom>([], .silence)
        let broken = PublishSubject<Int, Boom>()
        let probe = Probe(
            outer.observable.flatMap { $0 == 0 ? inner.observable : broken.observable }, .unbounded,
            onDone: { _ in #expect(outer.cancels == 1 && inner.cancels == 1) })
        broken.send(completion: .failed(Boom()))
        #expect(probe.text == "#boom" && probe.isReleased)
    }

    @Test func aThrowingTransformCancelsUpstreamThenFails() {
        let outer = TestSource<Int, Boom>([0, 1, 2], .silence)
        let inner = TestSource<Int, Boom>([], .silence)
        let seen = Log()
        let probe = Probe(
            outer.observable.flatMap { element throws(Boom) -> Observable<Int, Boom> in
                seen.add("\(element)")
                if element == 1 { throw Boom() }
                return inner.observable
            }, .unbounded, onDone: { _ in #expect(outer.cancels == 1 && inner.cancels == 1) })
        #expect(probe.text == "#boom" && "\(seen)" == "0, 1")
    }

    @Test func neverOnEitherSide() {
        let outer = Observable<Int, Never>([1]).flatMap { _ in Observable<Int, Boom>.fail(Boom()) }
        #expect(Probe(outer, 1).text == "#boom")
        let inner = Observable<Int, Boom>([1]).flatMap { Observable<Int, Never>.just($0) }
        #expect(Probe(inner, 1).text == "1 |")
    }

    @Test(arguments: [1, 4, Int.max]) func manySynchronousInnersNeedNoStack(maxConcurrent: Int) {
        onThread(stack: 128) {
            let stream = Observable<Int, Never>(0..<100_000).flatMap(maxConcurrent: maxConcurrent) {
                Observable<Int, Never>.just($0)
            }
            let probe = Probe(stream, .unbounded)
            #expect(probe.elements == Array(0..<100_000) && probe.end != nil && probe.faults == ProbeFaults())
            let counted = Probe(stream, 1, onNext: { probe, _ in probe.request(1) })
            #expect(counted.elements == Array(0..<100_000) && counted.end != nil && counted.faults == ProbeFaults())
        }
    }

    @Test func feedingTheOuterFromTheHandlerNeedsNoStack() {
        onThread(stack: 128) {
            let outer = PublishSubject<Int, Never>()
            let probe = Probe(
                outer.flatMap { Observable<Int, Never>([$0]) }, .unbounded,
                onNext: { _, element in if element < 100_000 { outer.send(element + 1) } })
            outer.send(1)
            #expect(probe.elements == Array(1...100_000) && probe.faults == ProbeFaults())
        }
    }

    @Test func subjectsThatAreDroppedFreeTheSubscriber() {
        var outer: PublishSubject<Int, Never>? = PublishSubject()
        var inner: PublishSubject<Int, Never>? = PublishSubject()
        let stream = inner?.observable ?? .empty()
        let probe = outer.map { Probe($0.flatMap { _ in stream }, .unbounded) }
        outer?.send(1)
        outer = nil
        inner?.send(7)
        #expect(probe?.text == "7" && probe?.isReleased == false)
        inner = nil
        #expect(probe?.text == "7" && probe?.isReleased == true)
    }

    @Test func twoThreadsIntoTwoInnerStreams() {
        race("two threads into flatMap", rounds: 5) { meet in
            let inner = [PublishSubject<Int, Never>(), PublishSubject<Int, Never>()]
            let probe = Probe(Observable<Int, Never>(0..<2).flatMap { inner[$0].observable }, .unbounded)
            let bodies = inner.map { subject -> @Sendable () -> Void in
                {
                    for number in 0..<5_000 { meet { subject.send(number) } }
                    subject.send(completion: .finished)
                }
            }
            return (
                bodies, { #expect(probe.elements.count == 10_000 && probe.end != nil && probe.faults == ProbeFaults()) }
            )
        }
    }

    @Test(arguments: [0, -1, Int.min]) func lessThanOneAtOnceCountsAsOne(count: Int) {
        let stream = Observable<Int, Boom>([1, 2]).flatMap(maxConcurrent: count) { .init([$0, $0 + 10]) }
        #expect(Probe(stream, .unbounded).text == "1 11 2 12 |")
    }
}
