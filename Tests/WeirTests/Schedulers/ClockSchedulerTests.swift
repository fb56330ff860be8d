import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ClockSchedulerTests {
    @Test func runsWorkInATask() async {
        let bell = Bell()
        ClockScheduler.continuous.schedule { bell.ring() }
        ClockScheduler.suspending.schedule { bell.ring() }
        await bell.wait(2)
    }

    @Test func waitsForTheDeadlineOfItsClock() async {
        let clock = VirtualClock()
        let scheduler = ClockScheduler(clock)
        let log = Log()
        let bell = Bell()
        scheduler.schedule(after: .seconds(3_600)) {
            log.add("due at \(clock.now.frame)")
            bell.ring()
        }
        await clock.untilScheduled(1)
        #expect(log.all == [])
        clock.advance(by: .seconds(3_600))
        await bell.wait()
        #expect("\(log)" == "due at 3600000" && "\(scheduler)" == "ClockScheduler<VirtualClock>")
    }

    @Test func withdrawnWorkNeverRunsAndIsLetGo() async {
        let clock = VirtualClock()
        let canary = WeakCanary()
        let gone = Bell()
        let runs = Counter()
        func schedule() -> ScheduledWork {
            let held = Canary { gone.ring() }
            canary.set(held)
            return ClockScheduler(clock).schedule(after: .seconds(1)) {
                _ = held
                runs.add()
            }
        }
        let work = schedule()
        await clock.untilScheduled(1)
        work.cancel()
        work.cancel()
        await gone.wait()
        clock.advance(by: .seconds(2))
        #expect(runs.value == 0 && clock.scheduledCount == 0 && !canary.isAlive)
    }

    @Test func aDeadlineInThePastMeansAsSoonAsPossible() async {
        let bell = Bell()
        ClockScheduler.continuous.schedule(after: .seconds(-5)) { bell.ring() }
        ClockScheduler.continuous.schedule(at: .now) { bell.ring() }
        await bell.wait(2)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(1 << 40)])
    func aDeadlineThatNobodyWaitsForDoesNoHarm(delay: Duration) async {
        let runs = Tally()
        let far = ClockScheduler.continuous.schedule(after: delay) { runs.add() }
        let token = Observable.just(1).delay(for: delay).subscribe { _ in runs.add() }
        let bell = Bell()
        ClockScheduler.continuous.schedule(after: .milliseconds(1)) { bell.ring() }
        await bell.wait()
        far.cancel()
        token.cancel()
        #expect(runs.value == 0)
    }
}
