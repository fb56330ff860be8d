import Testing
import Weir

@Suite struct JustTests {
    @Test(arguments: [Demand(1), 7, .unbounded]) func emitsThenFinishes(demand: Demand) {
        #expect(Listener(Observable<Int, Never>.just(7), demand).text == "7 |")
    }

    @Test func nothingBeforeTheFirstRequest() {
        let probe = Listener(Observable<Int, Boom>.just(7))
        #expect(probe.text == "")
        probe.request(1)
        probe.request(1)
        #expect(probe.text == "7 |" && !probe.canary.isAlive)
    }

    @Test func cancelInsideTheHandlerKeepsTheEndBack() {
        let probe = Listener(Observable<Int, Never>.just(7), 1, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "7" && !probe.canary.isAlive)
    }

    @Test func cancelBeforeTheRequestSilences() {
        let probe = Listener(Observable<Int, Never>.just(7))
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && !probe.canary.isAlive)
    }

    @Test func aRequestFromInsideIsNoSecondElement() {
        #expect(Listener(Observable<Int, Never>.just(7), 1, onNext: { probe, _ in probe.request(1) }).text == "7 |")
    }

    @Test func everySubscriptionGetsIt() {
        let stream = Observable<Int, Never>.just(7)
        #expect(Listener(stream, 1).text == "7 |" && Listener(stream, 1).text == "7 |")
    }

    @Test func aSubscriptionThatIsLetGoFreesTheSubscriber() {
        let probe = Listener(Observable<Int, Never>.just(7))
        probe.release()
        #expect(!probe.canary.isAlive)
    }
}
