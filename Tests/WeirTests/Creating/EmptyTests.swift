import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct EmptyTests {
    @Test(arguments: [Demand(1), .unbounded]) func finishesAtTheFirstRequest(demand: Demand) {
        let probe = Probe(Observable<Int, Boom>.empty())
        #expect(probe.text == "")
        probe.request(demand)
        #expect(probe.text == "|" && probe.isReleased)
    }

    @Test func cancelSilences() {
        let probe = Probe(Observable<Int, Boom>.empty())
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && probe.isReleased)
    }
}
