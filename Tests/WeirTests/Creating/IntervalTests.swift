import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct IntervalTests {
    let clock = VirtualClock()

    private func ticks(
        _ demand: Demand, for frames: Int, _ stream: (VirtualClock) -> Observable<Int, Never>
    ) -> String {
        let came = Log()
        let probe = Probe(
            stream(clock), demand, onNext: { _, number in came.add("\(number)@\(clock.now.frame)") },
            onDone: { _ in came.add("|@\(clock.now.frame)") })
        clock.advance(by: .frames(frames))
        probe.release()
        #expect(probe.faults == ProbeFaults() && clock.scheduledCount == 0 && probe.isReleased)
        return "\(came)"
    }

    @Test func ticksComeAtAbsoluteDeadlines() {
        #expect(ticks(.unbounded, for: 10) { .interval(.frames(3), on: $0) } == "0@3, 1@6, 2@9")
    }

    @Test(arguments: [(0, "0@0, 1@3"), (-5, "0@0, 1@3"), (2, "0@2, 1@5")])
    func theFirstMayComeEarlier(delay: Int, came: String) {
        #expect(ticks(.unbounded, for: 5) { .interval(.frames(3), after: .frames(delay), on: $0) } == came)
    }

    @Test func nothingHappensBeforeTheFirstRequest() {
        let probe = Probe(Observable.interval(.frames(3), on: clock))
        #expect(clock.scheduledCount == 0)
        clock.advance(by: .frames(7))
        probe.request(1)
        clock.advance(by: .frames(2))
        #expect(probe.text == "")
        clock.advance(by: .frames(1))
        #expect(probe.text == "0")
    }

    @Test func ticksWithoutDemandMergeAndTheNumberShowsTheGap() {
        let skipped = DropCounter()
        let probe = Probe(Observable.interval(.frames(1), on: clock, skipped: skipped), 2)
        clock.advance(by: .frames(2))
        #expect(probe.text == "0 1")
        clock.advance(by: .frames(5))
        #expect(clock.scheduledCount == 0, "no timer runs while a tick waits")
        probe.request(2)
        #expect(probe.text == "0 1 6" && skipped.count == 4)
        clock.advance(by: .frames(1))
        #expect(probe.text == "0 1 6 7" && "\(skipped)" == "DropCounter(4)")
    }

    /// Each timer comes two frames late; the deadlines stay where they are.
    @Test func aThousandTicksOfALateClockDoNotDrift() {
        let stamps = Log()
        let late = LateScheduler(clock: clock, lateness: Lateness(2...2))
        let probe = Probe(
            Observable.interval(.frames(7), on: late), .unbounded,
            onNext: { _, number in
                if clock.now.frame != (number + 1) * 7 + 2 { stamps.add("\(number)@\(clock.now.frame)") }
            })
        clock.advance(by: .frames(7_002))
        #expect(probe.elements == Array(0..<1_000) && "\(stamps)" == "")
    }

    @Test func ticksThatALateClockBringsTogetherMerge() {
        let skipped = DropCounter()
        let late = LateScheduler(clock: clock, lateness: Lateness(25...25))
        let probe = Probe(Observable.interval(.frames(10), on: late, skipped: skipped), .unbounded)
        clock.advance(by: .frames(100))
        #expect(probe.text == "2 5 8" && skipped.count == 6)
        probe.release()
    }

    @Test func cancelInsideATickStopsIt() {
        let probe = Probe(
            Observable.interval(.frames(1), on: clock), .unbounded, onNext: { probe, _ in probe.cancel() })
        clock.advance(by: .frames(9))
        #expect(probe.text == "0" && clock.scheduledCount == 0)
    }

    @Test func atOnceItRunsAsFarAsDemand() {
        #expect(Probe(Observable.interval(.seconds(1), on: .immediate), 3).elements.first == 0)
        #expect(Probe(Observable.interval(.seconds(1), on: .immediate).prefix(3), .unbounded).elements.count == 3)
    }

    @Test func aTimerTicksOnce() {
        #expect(ticks(.unbounded, for: 9) { .timer(.frames(3), on: $0) } == "0@3, |@3")
        #expect(ticks(1, for: 9) { .timer(.frames(-3), on: $0) } == "0@9, |@9")
    }

    @Test func oddPeriodsCountAsAMicrosecond() {
        let none = Probe(Observable.interval(.zero, on: clock).prefix(3), .unbounded)
        #expect(none.text == "" && clock.scheduledCount == 1)
        none.release()
        let probe = Probe(Observable.interval(.seconds(-1), after: .microseconds(1), on: clock), .unbounded)
        clock.advance(by: .microseconds(2))
        #expect(probe.elements == [0, 1])
        probe.release()
    }
}
