import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ReplaceErrorTests {
    @Test func anElementStandsForTheFailure() {
        let probe = Probe(TestSource<Int, Boom>([1, 2], .fail(Boom())).observable.replaceError(with: 9), .unbounded)
        #expect(probe.text == "1 2 9 |" && probe.isReleased)
    }

    @Test func aStreamThatFinishesIsLeftAlone() {
        #expect(Probe(Observable<Int, Boom>([1, 2]).replaceError(with: 9), .unbounded).text == "1 2 |")
        #expect(Probe(Observable<Int, Boom>.empty().replaceError(with: 9), .unbounded).text == "|")
    }

    @Test func theElementWaitsForDemand() {
        let probe = Probe(TestSource<Int, Boom>([1], .fail(Boom())).observable.replaceError(with: 9), 1)
        #expect(probe.text == "1")
        probe.request(1)
        #expect(probe.text == "1 9 |")
    }

    @Test func cancelWhileTheElementWaits() {
        let probe = Probe(TestSource<Int, Boom>([1], .fail(Boom())).observable.replaceError(with: 9), 1)
        probe.release()
        probe.request(1)
        #expect(probe.text == "1" && probe.isReleased)
    }
}
