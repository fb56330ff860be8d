import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct PrefixTests {
    @Test func rules() { expectRules("1 2 |", endsEarly: true) { $0.prefix(2) } }

    @Test(arguments: [(-1, "|"), (0, "|"), (1, "1 |"), (3, "1 2 3 |"), (.max, "1 2 3 |")])
    func passesThatMany(count: Int, text: String) {
        #expect(Probe(Observable<Int, Never>([1, 2, 3]).prefix(count), .unbounded).text == text)
    }

    @Test func nothingIsAttachedForNone() {
        let upstream = TestSource<Int, Never>([1], .finish)
        #expect(Probe(upstream.observable.prefix(0), 1).text == "|" && upstream.attaches == 0)
    }

    @Test func upstreamIsCancelledBeforeTheLastElement() {
        let upstream = TestSource<Int, Never>([1, 2, 3], .silence)
        let cancels = Log()
        let probe = Probe(
            upstream.observable.prefix(2), .unbounded, onNext: { _, _ in cancels.add("\(upstream.cancels)") },
            onDone: { _ in cancels.add("\(upstream.cancels)") })
        #expect(probe.text == "1 2 |" && "\(cancels)" == "0, 1, 1")
        probe.cancel()
        #expect(probe.text == "1 2 |")
    }

    @Test func aSenderInACircleStopsInTime() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(subject.prefix(3), .unbounded, onNext: { _, element in subject.send(element + 1) })
        subject.send(1)
        #expect(probe.text == "1 2 3 |")
    }

    @Test func cancelInsideTheLastElementKeepsTheEndBack() {
        let probe = Probe(
            Observable<Int, Never>(1...5).prefix(1), .unbounded, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "1" && probe.isReleased)
    }

    @Test func theEndNeedsNoDemand() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(subject.prefix(2), 2)
        subject.send(1)
        subject.send(2)
        #expect(probe.text == "1 2 |")
    }

    @Test func anEndlessSourceStops() {
        #expect(Probe(Observable<Int, Never>(0...).prefix(100_000), .unbounded).elements.count == 100_000)
    }

    @Test func aDroppedElementCountsAsPassed() {
        let probe = Probe(Observable<Int, Never>(1...9).prefix(4).filter { $0.isMultiple(of: 2) }, 2)
        #expect(probe.text == "2 4 |")
    }
}
