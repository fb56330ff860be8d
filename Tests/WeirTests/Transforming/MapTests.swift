import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct MapTests {
    @Test func rules() { expectRules("10 20 30 |") { $0.map { $0 * 10 } } }

    @Test func aThrowingClosureCancelsUpstreamThenFails() {
        let upstream = TestSource<Int, Boom>([1, 2, 3], .silence)
        let seen = Log()
        let probe = Probe(
            upstream.observable.map { element throws(Boom) in
                seen.add("\(element)")
                if element == 2 { throw Boom(code: element) }
                return "v\(element)"
            }, .unbounded, onDone: { _ in seen.add("cancels \(upstream.cancels)") })
        #expect(probe.text == "v1 #boom2")
        #expect("\(seen)" == "1, 2, cancels 1")
        #expect(probe.isReleased)
    }

    @Test func aParsingFunctionFits() {
        @Sendable func parse(_ text: String) throws(Boom) -> Int {
            guard let number = Int(text) else { throw Boom(code: text.count) }
            return number
        }
        #expect(Probe(Observable<String, Boom>(["1", "22", "x"]).map(parse), .unbounded).text == "1 22 #boom1")
    }

    @Test func nothingIsThrownAfterCancel() {
        let probe = Probe(
            Observable<Int, Boom>(1...3).map { element throws(Boom) -> Int in
                if element == 2 { throw Boom() }
                return element
            }, .unbounded, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "1")
    }

    @Test func many() {
        let probe = Probe(Observable<Int, Never>(0..<100_000).map { $0 + 1 }, .unbounded)
        #expect(probe.elements == Array(1...100_000) && probe.end != nil && probe.faults == ProbeFaults())
    }

    @Test func elementsAreReleasedAsTheyPass() {
        let alive = Counter()
        let probe = Probe(
            Observable<Int, Never>(0..<1_000).map { _ in
                alive.add()
                return Canary { alive.add(-1) }
            }.map { _ in alive.value }, .unbounded)
        #expect(probe.elements.max() == 1 && alive.value == 0)
    }

    @Test func tryMapFailsWithAnything() {
        let up = TestSource<Int, Never>([1, 2, 3], .silence)
        let probe = Probe(
            up.observable.tryMap { number in
                if number == 2 { throw Boom() }
                return number * 10
            }, .unbounded)
        #expect(probe.elements == [10] && probe.completion?.failure is Boom && up.cancels == 1)
        let failing = Probe(Observable<Int, Boom>.fail(Boom(code: 3)).tryMap { $0 }, 1)
        #expect((failing.completion?.failure as? Boom)?.code == 3)
    }
}
