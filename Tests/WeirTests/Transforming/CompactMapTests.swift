import Testing
import Weir

@Suite struct CompactMapTests {
    @Test func rules() { expectRules("10 30 |") { $0.compactMap { $0 == 2 ? nil : $0 * 10 } } }

    @Test func allMayBeDropped() {
        #expect(Listener(Observable<Int, Boom>(1...5).compactMap { _ in nil as Int? }, 1).text == "|")
    }

    @Test func aDroppedElementCostsNoDemand() {
        let probe = Listener(Observable<Int, Never>(0..<100_000).compactMap { $0 % 1_000 == 999 ? $0 : nil }, 2)
        #expect(probe.text == "999 1999")
        probe.request(.unbounded)
        #expect(probe.elements.count == 100 && probe.end != nil && probe.faults == [])
    }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = Upstream<String, Boom>(["1", "x", "3"], .silence)
        let probe = Listener(
            upstream.observable.compactMap { text throws(Boom) in
                guard let number = Int(text) else { throw Boom() }
                return number > 0 ? number : nil
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "1 #boom")
    }
}
