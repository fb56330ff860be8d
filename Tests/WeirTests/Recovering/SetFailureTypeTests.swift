import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct SetFailureTypeTests {
    @Test func nothingElseChanges() {
        let upstream = TestSource<Int, Never>([1, 2], .finish)
        let probe = Probe(upstream.observable.setFailureType(to: Boom.self), 1)
        #expect(probe.text == "1" && upstream.calls == "attach, request 1")
        probe.request(1)
        #expect(probe.text == "1 2 |" && probe.isReleased)
    }

    @Test func itFitsBesideAStreamThatCanFail() {
        let safe = Observable<Int, Never>([1]).setFailureType(to: Boom.self)
        #expect(Probe(safe.concat(.fail(Boom())), .unbounded).text == "1 #boom")
    }

    @Test func cancelPasses() {
        let upstream = TestSource<Int, Never>([1], .silence)
        let probe = Probe(upstream.observable.setFailureType(to: Boom.self), .unbounded)
        probe.release()
        #expect(upstream.cancels == 1 && probe.isReleased)
    }
}
