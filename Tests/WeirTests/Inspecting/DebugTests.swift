import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct DebugTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.debug(to: { _ in }) } }

    @Test func writesEachSignalBeforeItGoesOn() {
        let log = Log()
        let probe = Probe(
            Observable<Int, Never>([1, 2, 3]).debug("up") { log.add($0) }.map { $0 * 10 }.debug("down") { log.add($0) })
        #expect(log.all == [])
        probe.request(2)
        #expect(
            log.all == [
                "down: subscribe", "down: request 2", "up: subscribe", "up: request 2", "up: next 1", "down: next 10",
                "up: next 2", "down: next 20",
            ])
        probe.request(.unbounded)
        #expect(
            log.all.dropFirst(8) == [
                "down: request unbounded", "up: request unbounded", "up: next 3", "down: next 30", "up: finished",
                "down: finished",
            ])
    }

    @Test func cancelAndFailure() {
        let log = Log()
        let never = Probe(TestSource<Int, Boom>([1], .silence).observable.debug("a") { log.add($0) }, .unbounded)
        never.release()
        let failing = Probe(Observable<Int, Boom>.fail(Boom(code: 7)).debug("b") { log.add($0) }, 1)
        #expect(never.isReleased && failing.isReleased)
        #expect(
            log.all == [
                "a: subscribe", "a: request unbounded", "a: next 1", "a: cancel", "b: subscribe", "b: request 1",
                "b: failed(boom7)",
            ])
    }

    @Test func withoutALabelItSaysWhereItStands() {
        let log = Log()
        let line: UInt = #line + 1
        let stream = Observable<Int, Never>.just(1).debug(to: { log.add($0) })
        #expect(Probe(stream, 1).text == "1 |")
        #expect(log.all.contains("WeirTests/DebugTests.swift:\(line): next 1"))
    }

    @Test func eachSubscriptionBeginsAnew() {
        let log = Log()
        let stream = Observable<Int, Never>.empty().debug("x") { log.add($0) }
        let listeners = (0..<2).map { _ in Probe(stream, 1) }
        #expect(
            listeners.map(\.text) == ["|", "|"]
                && log.all
                    == Array(repeating: ["x: subscribe", "x: request 1", "x: finished"], count: 2).flatMap(\.self)
        )
    }

    @Test func aDroppedElementCostsNoDemandThroughIt() {
        let probe = Probe(Observable<Int, Never>(1...9).debug("x", to: { _ in }).filter { $0 % 3 == 0 }, 2)
        #expect(probe.text == "3 6")
    }
}
