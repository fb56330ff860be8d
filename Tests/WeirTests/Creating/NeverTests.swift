import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct NeverTests {
    @Test func neverSignals() {
        let probe = Probe(Observable<Int, Boom>.never(), .unbounded)
        #expect(probe.text == "" && !probe.isReleased)
        probe.cancel()
        #expect(probe.text == "" && probe.isReleased)
    }

    @Test func lettingGoOfTheSubscriptionFreesTheSubscriber() {
        let probe = Probe(Observable<Int, Boom>.never())
        probe.release()
        #expect(probe.isReleased)
    }
}
