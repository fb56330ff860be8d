import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct RemoveDuplicatesTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.removeDuplicates() } }

    @Test func dropsWhatIsEqualToTheOneBefore() {
        #expect(Probe(Observable<Int, Never>([1, 1, 2, 2, 2, 1]).removeDuplicates(), .unbounded).text == "1 2 1 |")
    }

    @Test func comparesWithTheLastOneKept() {
        let near = Observable<Int, Never>([1, 2, 3, 4, 5]).removeDuplicates { abs($0 - $1) < 2 }
        #expect(Probe(near, .unbounded).text == "1 3 5 |")
    }

    @Test func aDroppedElementCostsNoDemand() {
        let upstream = TestSource<Int, Never>([1, 1, 1, 2], .finish)
        let probe = Probe(upstream.observable.removeDuplicates(), 2)
        #expect(probe.text == "1 2 |" && upstream.calls == "attach, request 2")
    }

    @Test func nilIsAnElementToo() {
        let probe = Probe(Observable<Int?, Never>([nil, nil, 1, nil]).removeDuplicates(), .unbounded)
        #expect(probe.elements == [nil, 1, nil])
    }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(
            upstream.observable.removeDuplicates { _, new throws(Boom) in
                if new == 3 { throw Boom() }
                return false
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "1 2 #boom")
    }

    @Test func aSendFromTheHandlerIsComparedAfterwards() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(
            subject.removeDuplicates(), .unbounded, onNext: { _, element in subject.send(min(element + 1, 3)) })
        subject.send(1)
        #expect(probe.text == "1 2 3")
    }
}
