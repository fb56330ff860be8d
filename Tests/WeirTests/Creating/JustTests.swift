import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct JustTests {
    @Test(arguments: [Demand(1), 7, .unbounded]) func emitsThenFinishes(demand: Demand) {
        #expect(Probe(Observable<Int, Never>.just(7), demand).text == "7 |")
    }

    @Test func nothingBeforeTheFirstRequest() {
        let probe = Probe(Observable<Int, Boom>.just(7))
        #expect(probe.text == "")
        probe.request(1)
        probe.request(1)
        #expect(probe.text == "7 |" && probe.isReleased)
    }

    @Test func cancelInsideTheHandlerKeepsTheEndBack() {
        let probe = Probe(Observable<Int, Never>.just(7), 1, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "7" && probe.isReleased)
    }

    @Test func cancelBeforeTheRequestSilences() {
        let probe = Probe(Observable<Int, Never>.just(7))
        probe.cancel()
        probe.request(1)
        #expect(probe.text == "" && probe.isReleased)
    }

    @Test func aRequestFromInsideIsNoSecondElement() {
        #expect(Probe(Observable<Int, Never>.just(7), 1, onNext: { probe, _ in probe.request(1) }).text == "7 |")
    }

    @Test func everySubscriptionGetsIt() {
        let stream = Observable<Int, Never>.just(7)
        #expect(Probe(stream, 1).text == "7 |" && Probe(stream, 1).text == "7 |")
    }

    @Test func aSubscriptionThatIsLetGoFreesTheSubscriber() {
        let probe = Probe(Observable<Int, Never>.just(7))
        probe.release()
        #expect(probe.isReleased)
    }
}
