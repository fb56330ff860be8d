import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct MapErrorTests {
    @Test func rules() {
        struct Bang: Error { let boom: Boom }
        expectRules("1 2 3 |") { $0.mapError { Bang(boom: $0) }.mapError { $0.boom } }
    }

    @Test func theFailureIsTransformedOnce() {
        let upstream = TestSource<Int, Boom>([1], .fail(Boom(code: 1)))
        let calls = Counter()
        let probe = Probe(
            upstream.observable.mapError { error in
                calls.add()
                return Boom(code: error.code + 1)
            }, .unbounded)
        #expect(probe.text == "1 #boom2" && calls.value == 1)
    }

    @Test func aStreamThatFinishesIsLeftAlone() {
        let probe = Probe(Observable<Int, Never>([1]).mapError { _ -> Boom in }, 1)
        #expect(probe.text == "1 |")
    }
}
