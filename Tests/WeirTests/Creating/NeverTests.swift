import Testing
import Weir

@Suite struct NeverTests {
    @Test func neverSignals() {
        let probe = Listener(Observable<Int, Boom>.never(), .unbounded)
        #expect(probe.text == "" && probe.canary.isAlive)
        probe.cancel()
        #expect(probe.text == "" && !probe.canary.isAlive)
    }

    @Test func lettingGoOfTheSubscriptionFreesTheSubscriber() {
        let probe = Listener(Observable<Int, Boom>.never())
        probe.release()
        #expect(!probe.canary.isAlive)
    }
}
