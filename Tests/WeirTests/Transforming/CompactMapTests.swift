import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct CompactMapTests {
    @Test func rules() { expectRules("10 30 |") { $0.compactMap { $0 == 2 ? nil : $0 * 10 } } }

    @Test func allMayBeDropped() {
        #expect(Probe(Observable<Int, Boom>(1...5).compactMap { _ in nil as Int? }, 1).text == "|")
    }

    @Test func aDroppedElementCostsNoDemand() {
        let probe = Probe(Observable<Int, Never>(0..<100_000).compactMap { $0 % 1_000 == 999 ? $0 : nil }, 2)
        #expect(probe.text == "999 1999")
        probe.request(.unbounded)
        #expect(probe.elements.count == 100 && probe.end != nil && probe.faults == ProbeFaults())
    }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = TestSource<String, Boom>(["1", "x", "3"], .silence)
        let probe = Probe(
            upstream.observable.compactMap { text throws(Boom) in
                guard let number = Int(text) else { throw Boom() }
                return number > 0 ? number : nil
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "1 #boom")
    }
}
