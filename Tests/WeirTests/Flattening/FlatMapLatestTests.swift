import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct FlatMapLatestTests {
    @Test func rules() { expectRules("1 2 3 |", drawsAll: true) { $0.flatMapLatest { .just($0) } } }

    @Test func aNewElementCancelsTheInnerStreamThatRuns() {
        let outer = PublishSubject<Int, Never>()
        let inner = (0..<2).map { _ in TestSource<Int, Never>([], .silence) }
        let probe = Probe(outer.flatMapLatest { inner[$0].observable }, .unbounded)
        outer.send(0)
        #expect(inner[0].cancels == 0)
        outer.send(1)
        #expect(inner[0].cancels == 1 && inner[1].attaches == 1)
        outer.send(completion: .finished)
        #expect(probe.text == "" && inner[1].cancels == 0)
    }

    @Test func onlyTheNewestIsHeard() {
        let outer = PublishSubject<Int, Never>()
        let inner = (0..<2).map { _ in PublishSubject<String, Never>() }
        let probe = Probe(outer.flatMapLatest { inner[$0].observable }, .unbounded)
        outer.send(0)
        inner[0].send("a1")
        outer.send(1)
        inner[0].send("a2")
        inner[1].send("b1")
        outer.send(completion: .finished)
        inner[0].send(completion: .finished)
        #expect(probe.text == "a1 b1")
        inner[1].send(completion: .finished)
        #expect(probe.text == "a1 b1 |" && probe.isReleased)
    }

    @Test func theInnerStreamIsAskedForWhatDownstreamWants() {
        let outer = PublishSubject<Int, Never>()
        let inner = (0..<2).map { _ in TestSource<Int, Never>([1, 2, 3, 4, 5, 6], .finish) }
        let probe = Probe(outer.flatMapLatest { inner[$0].observable }, 3, uses: { $0 != 2 })
        outer.send(0)
        #expect(probe.text == "1 2 3 4" && inner[0].calls == "attach, request 3, request 1")
        outer.send(1)
        #expect(inner[0].cancels == 1 && inner[1].calls == "attach")
        probe.request(2)
        #expect(probe.text == "1 2 3 4 1 2 3" && probe.faults == ProbeFaults())
    }

    @Test func aThrowingTransformCancelsBothThenFails() {
        let outer = TestSource<Int, Boom>([0, 1], .silence)
        let inner = TestSource<Int, Boom>([], .silence)
        let probe = Probe(
            outer.observable.flatMapLatest { element throws(Boom) -> Observable<Int, Boom> in
                if element == 1 { throw Boom() }
                return inner.observable
            }, .unbounded, onDone: { _ in #expect(outer.cancels == 1 && inner.cancels == 1) })
        #expect(probe.text == "#boom")
    }

    @Test func aFailureOfTheInnerStreamEnds() {
        let outer = TestSource<Int, Boom>([0], .silence)
        let probe = Probe(
            outer.observable.flatMapLatest { _ in Observable<Int, Boom>.fail(Boom()) }, 1,
            onDone: { _ in #expect(outer.cancels == 1) })
        #expect(probe.text == "#boom")
    }

    @Test func neverOnEitherSide() {
        let outer = Observable<Int, Never>([1]).flatMapLatest { _ in Observable<Int, Boom>.fail(Boom()) }
        #expect(Probe(outer, 1).text == "#boom")
        let inner = Observable<Int, Boom>([1]).flatMapLatest { Observable<Int, Never>.just($0) }
        #expect(Probe(inner, 1).text == "1 |")
    }

    @Test func anOuterSendFromTheHandlerSwitches() {
        let outer = PublishSubject<Int, Never>()
        let probe = Probe(
            outer.flatMapLatest { Observable<Int, Never>([$0, $0 + 100]) }, .unbounded,
            onNext: { _, element in if element < 3 { outer.send(element + 1) } })
        outer.send(1)
        #expect(probe.faults == ProbeFaults() && probe.elements.last == 103)
    }

    @Test func manySynchronousInnersNeedNoStack() {
        onThread(stack: 128) {
            let stream = Observable<Int, Never>(0..<100_000).flatMapLatest { Observable<Int, Never>.just($0) }
            let probe = Probe(stream, .unbounded)
            #expect(probe.elements == Array(0..<100_000) && probe.end != nil && probe.faults == ProbeFaults())
        }
    }

    @Test func aCancelledInnerStreamIsFreed() {
        let outer = PublishSubject<Int, Never>()
        let canary = WeakCanary()
        let probe = Probe(
            outer.flatMapLatest { element in
                let held = Canary()
                if element == 0 { canary.set(held) }
                return Observable<Int, Never>.never().map { [held] in
                    _ = held
                    return $0
                }
            }, .unbounded)
        outer.send(0)
        #expect(canary.isAlive)
        outer.send(1)
        #expect(!canary.isAlive && probe.faults == ProbeFaults())
    }
}
