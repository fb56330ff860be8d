import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ScanTests {
    @Test func rules() { expectRules("1 3 6 |") { $0.scan(0) { $0 + $1 } } }

    @Test func theSeedIsNotEmitted() {
        #expect(Probe(Observable<Int, Never>.empty().scan(7) { $0 + $1 }, .unbounded).text == "|")
    }

    @Test func eachSubscriptionStartsFromTheSeed() {
        let sums = Observable<Int, Never>([1, 2]).scan("") { "\($0)\($1)" }
        #expect(Probe(sums, .unbounded).text == "1 12 |")
        #expect(Probe(sums, .unbounded).text == "1 12 |")
    }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(
            upstream.observable.scan(0) { sum, element throws(Boom) in
                if sum + element > 2 { throw Boom(code: sum + element) }
                return sum + element
            }, .unbounded, onDone: { _ in #expect(upstream.cancels == 1) })
        #expect(probe.text == "1 #boom3")
    }

    @Test func aSendFromTheHandlerIsAccumulatedAfterwards() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(
            subject.scan(0) { $0 + $1 }, .unbounded, onNext: { _, sum in if sum < 10 { subject.send(4) } })
        subject.send(1)
        #expect(probe.text == "1 5 9 13")
    }

    @Test func many() {
        let probe = Probe(Observable<Int, Never>(0..<100_000).scan(0) { max($0, $1) }, .unbounded)
        #expect(probe.elements == Array(0..<100_000))
    }
}
