import Testing
import Weir

@Suite struct EmptyTests {
    @Test(arguments: [Demand(1), .unbounded]) func finishesAtTheFirstRequest(demand: Demand) {
        let probe = Listener(Observable<Int, Boom>.empty())
        #expect(probe.text == "")
        probe.request(demand)
        #expect(probe.text == "|" && !probe.canary.isAlive)
    }

    @Test func cancelSilences() {
        let probe = Listener(Observable<Int, Boom>.empty())
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && !probe.canary.isAlive)
    }
}
