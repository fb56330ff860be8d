import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct FilterTests {
    @Test func rules() { expectRules("1 3 |") { $0.filter { $0 != 2 } } }

    @Test func aDroppedElementCostsNoDemand() {
        let upstream = TestSource<Int, Never>(Array(1...10), .finish)
        let probe = Probe(upstream.observable.filter { $0.isMultiple(of: 5) }, 1)
        #expect(probe.text == "5" && upstream.calls == "attach, request 1")
        probe.request(1)
        #expect(probe.text == "5 10 |")
    }

    @Test func aDroppedElementOfAHotSourceCostsNoDemand() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(subject.filter { $0.isMultiple(of: 5) }, 1)
        for number in 1...12 { subject.send(number) }
        #expect(probe.text == "5")
        probe.request(1)
        #expect(probe.text == "5 10")
    }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(
            upstream.observable.filter { element throws(Boom) in
                if element == 3 { throw Boom() }
                return element > 1
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "2 #boom")
    }

    @Test func many() {
        let probe = Probe(Observable<Int, Never>(0..<100_000).filter { $0.isMultiple(of: 2) }, .unbounded)
        #expect(probe.elements.count == 50_000 && probe.end != nil)
    }
}
