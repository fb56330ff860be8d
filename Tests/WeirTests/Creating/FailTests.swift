import Testing
import Weir

@Suite struct FailTests {
    @Test(arguments: [Demand(1), .unbounded]) func failsAtTheFirstRequest(demand: Demand) {
        let probe = Listener(Observable<Int, Boom>.fail(Boom()))
        #expect(probe.text == "")
        probe.request(demand)
        #expect(probe.text == "#boom" && !probe.canary.isAlive)
    }

    @Test func cancelSilences() {
        let probe = Listener(Observable<Int, Boom>.fail(Boom()))
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && !probe.canary.isAlive)
    }
}
