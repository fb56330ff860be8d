import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct SequenceTests {
    @Test(arguments: [0, 1, 3, 100_000]) func emitsAll(count: Int) {
        let probe = Probe(Observable<Int, Never>(0..<count), .unbounded)
        #expect(probe.elements == Array(0..<count) && probe.end == .finished && probe.faults == ProbeFaults())
    }

    @Test func demandIsObeyed() {
        let probe = Probe(Observable<Int, Boom>([1, 2, 3]))
        #expect(probe.text == "")
        probe.request(1)
        #expect(probe.text == "1")
        probe.request(2)
        #expect(probe.text == "1 2 3 |" && probe.isReleased)
    }

    @Test func aRequestFromInsideNeedsNoStack() {
        onThread(stack: 128) {
            let probe = Probe(Observable<Int, Never>(0..<100_000), 1, onNext: { probe, _ in probe.request(1) })
            #expect(probe.elements.count == 100_000 && probe.end != nil && probe.faults == ProbeFaults())
        }
    }

    @Test func demandMayTurnUnboundedInside() {
        let probe = Probe(Observable<Int, Never>(1...4), 1, onNext: { probe, _ in probe.request(.unbounded) })
        #expect(probe.text == "1 2 3 4 |")
    }

    @Test func cancelInsideStops() {
        let probe = Probe(
            Observable<Int, Never>(0...), .unbounded, onNext: { probe, element in if element == 2 { probe.cancel() } })
        #expect(probe.text == "0 1 2" && probe.isReleased)
    }

    @Test func anUnusedElementCostsNoDemand() {
        let probe = Probe(Observable<Int, Never>(1...9), 2, uses: { $0.isMultiple(of: 3) })
        #expect(probe.text == "1 2 3 4 5 6")
    }

    @Test func everySubscriptionIteratesAnew() {
        let stream = Observable<Int, Never>([1, 2])
        #expect(Probe(stream, .unbounded).text == "1 2 |" && Probe(stream, .unbounded).text == "1 2 |")
    }

    @Test func twoThreadsThatAskGetAllInOrder() {
        race("two threads ask a sequence", rounds: 20) { meet in
            let probe = Probe(Observable<Int, Never>(0..<2_000))
            let body: @Sendable () -> Void = { for _ in 0..<1_000 { meet { probe.request(1) } } }
            return (
                [body, body],
                { #expect(probe.elements == Array(0..<2_000) && probe.end != nil && probe.faults == ProbeFaults()) }
            )
        }
    }
}
