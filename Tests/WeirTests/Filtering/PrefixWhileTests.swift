import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct PrefixWhileTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.prefix { $0 < 4 } } }

    @Test(arguments: [(0, "|"), (1, "1 |"), (2, "1 2 |"), (3, "1 2 3 1 |")])
    func passesUntilTheFirstThatDoesNotMatch(most: Int, text: String) {
        #expect(Probe(Observable<Int, Never>([1, 2, 3, 1]).prefix { $0 <= most }, .unbounded).text == text)
    }

    @Test func upstreamsOwnEndPassesThrough() {
        #expect(Probe(Observable<Int, Never>.empty().prefix { _ in true }, 1).text == "|")
        #expect(Probe(TestSource<Int, Boom>([1], .fail(Boom())).observable.prefix { _ in true }, 2).text == "1 #boom")
    }

    @Test func upstreamIsCancelledBeforeTheEnd() {
        let upstream = TestSource<Int, Never>([1, 2, 3], .silence)
        let cancels = Log()
        let probe = Probe(
            upstream.observable.prefix { $0 < 2 }, .unbounded, onNext: { _, _ in cancels.add("\(upstream.cancels)") },
            onDone: { _ in cancels.add("\(upstream.cancels)") })
        #expect(probe.text == "1 |" && "\(cancels)" == "0, 1" && probe.isReleased)
    }

    @Test func theElementThatEndsItCostsNoDemandButHasToCome() {
        let upstream = TestSource<Int, Never>([1, 2, 3, 4], .finish)
        let probe = Probe(upstream.observable.prefix { $0 < 3 }, 2)
        #expect(probe.text == "1 2" && upstream.calls == "attach, request 2")
        probe.request(1)
        #expect(probe.text == "1 2 |" && upstream.cancels == 1)
    }

    @Test func aThrowingPredicateCancelsUpstreamThenFails() {
        let upstream = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(
            upstream.observable.prefix { element throws(Boom) in
                if element == 2 { throw Boom() }
                return true
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "1 #boom" && probe.isReleased)
    }

    @Test func theAnswerNoIsTheLast() {
        let asked = Counter()
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(
            subject.prefix {
                asked.add()
                return $0 < 2
            }, .unbounded, onDone: { _ in subject.send(1) })
        for number in [1, 2, 1, 1] { subject.send(number) }
        #expect(probe.text == "1 |" && asked.value == 2)
    }

    @Test func aSenderInACircleStopsInTime() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(subject.prefix { $0 < 4 }, .unbounded, onNext: { _, element in subject.send(element + 1) })
        subject.send(1)
        #expect(probe.text == "1 2 3 |")
    }

    @Test func cancelInsideThePredicateKeepsTheEndBack() {
        let held = Guarded<Probe<Int, Never>?>(nil)
        let stream = Observable<Int, Never>(1...5).prefix { element in
            if element == 2 { held.withLock { $0 }?.cancel() }
            return element < 2
        }
        let probe = Probe(stream, 1)
        held.withLock { $0 = probe }
        probe.request(9)
        #expect(probe.text == "1" && probe.isReleased)
        held.withLock { $0 = nil }
    }

    @Test func anEndlessSourceStops() {
        let probe = Probe(Observable<Int, Never>(0...).prefix { $0 < 100_000 }, .unbounded)
        #expect(probe.elements.count == 100_000 && probe.end != nil)
    }
}
