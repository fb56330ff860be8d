import Testing
import Weir

@Suite struct SetFailureTypeTests {
    @Test func nothingElseChanges() {
        let upstream = Upstream<Int, Never>([1, 2])
        let probe = Listener(upstream.observable.setFailureType(to: Boom.self), 1)
        #expect(probe.text == "1" && "\(upstream.log)" == "attach, request 1")
        probe.request(1)
        #expect(probe.text == "1 2 |" && !probe.canary.isAlive)
    }

    @Test func itFitsBesideAStreamThatCanFail() {
        let safe = Observable<Int, Never>([1]).setFailureType(to: Boom.self)
        #expect(Listener(safe.concat(.fail(Boom())), .unbounded).text == "1 #boom")
    }

    @Test func cancelPasses() {
        let upstream = Upstream<Int, Never>([1], .silence)
        let probe = Listener(upstream.observable.setFailureType(to: Boom.self), .unbounded)
        probe.release()
        #expect(upstream.cancels == 1 && !probe.canary.isAlive)
    }
}
