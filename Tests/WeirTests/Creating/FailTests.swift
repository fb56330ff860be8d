import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct FailTests {
    @Test(arguments: [Demand(1), .unbounded]) func failsAtTheFirstRequest(demand: Demand) {
        let probe = Probe(Observable<Int, Boom>.fail(Boom()))
        #expect(probe.text == "")
        probe.request(demand)
        #expect(probe.text == "#boom" && probe.isReleased)
    }

    @Test func cancelSilences() {
        let probe = Probe(Observable<Int, Boom>.fail(Boom()))
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && probe.isReleased)
    }
}
