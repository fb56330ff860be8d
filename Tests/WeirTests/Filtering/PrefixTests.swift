import Testing
import Weir

@Suite struct PrefixTests {
    @Test func rules() { expectRules("1 2 |", endsEarly: true) { $0.prefix(2) } }

    @Test(arguments: [(-1, "|"), (0, "|"), (1, "1 |"), (3, "1 2 3 |"), (.max, "1 2 3 |")])
    func passesThatMany(count: Int, text: String) {
        #expect(Listener(Observable<Int, Never>([1, 2, 3]).prefix(count), .unbounded).text == text)
    }

    @Test func nothingIsAttachedForNone() {
        let upstream = Upstream<Int, Never>([1])
        #expect(Listener(upstream.observable.prefix(0), 1).text == "|" && upstream.attaches == 0)
    }

    @Test func upstreamIsCancelledBeforeTheLastElement() {
        let upstream = Upstream<Int, Never>([1, 2, 3], .silence)
        let cancels = Log()
        let probe = Listener(
            upstream.observable.prefix(2), .unbounded, onNext: { _, _ in cancels.add("\(upstream.cancels)") },
            onDone: { _ in cancels.add("\(upstream.cancels)") })
        #expect(probe.text == "1 2 |" && "\(cancels)" == "0, 1, 1")
        probe.cancel()
        #expect(probe.text == "1 2 |")
    }

    @Test func aSenderInACircleStopsInTime() {
        let subject = PublishSubject<Int, Never>()
        let probe = Listener(subject.prefix(3), .unbounded, onNext: { _, element in subject.send(element + 1) })
        subject.send(1)
        #expect(probe.text == "1 2 3 |")
    }

    @Test func cancelInsideTheLastElementKeepsTheEndBack() {
        let probe = Listener(
            Observable<Int, Never>(1...5).prefix(1), .unbounded, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "1" && !probe.canary.isAlive)
    }

    @Test func theEndNeedsNoDemand() {
        let subject = PublishSubject<Int, Never>()
        let probe = Listener(subject.prefix(2), 2)
        subject.send(1)
        subject.send(2)
        #expect(probe.text == "1 2 |")
    }

    @Test func anEndlessSourceStops() {
        #expect(Listener(Observable<Int, Never>(0...).prefix(100_000), .unbounded).elements.count == 100_000)
    }

    @Test func aDroppedElementCountsAsPassed() {
        let probe = Listener(Observable<Int, Never>(1...9).prefix(4).filter { $0.isMultiple(of: 2) }, 2)
        #expect(probe.text == "2 4 |")
    }
}
