import Testing
import Weir
import WeirTestSupport
import WeirTesting

private actor Room {}

extension Hops {
    fileprivate static var all: [Hops] {
        let (clock, slow, workers) = (VirtualClock(), VirtualClock(), Workers())
        return [
            Hops(.immediate), Hops(SerialScheduler()), Hops(.continuous), Hops(.suspending), Hops(.mainActor),
            Hops(ActorScheduler(Room())), Hops(clock) { clock.advance(by: .seconds(1)) },
            Hops(ClockScheduler(slow)) { slow.advance(by: .seconds(1)) },
            Hops(workers) { workers.runOne() },
        ]
    }
}

/// Order is kept and the end comes last, on each scheduler.
@Suite(.ownThread) struct EverySchedulerTests {
    @Test(arguments: Hops.all) func orderIsKeptAndTheEndComesLast(hops: Hops) async {
        await hops.expectOrderOfAColdSource()
        await hops.expectOrderOfARetry()
    }

    @Test(arguments: Hops.all) func orderOfTwoThreadsIsKept(hops: Hops) async { await hops.expectOrderOfTwoThreads() }

    @Test(arguments: Hops.all) func emptyAndCancelledStreams(hops: Hops) async {
        await hops.expectAnEmptyAndACancelledStream()
    }

    /// Each tick sets the next deadline from the start, and comes late, as work on a real machine does.
    @Test func aThousandTicksDoNotDrift() {
        let clock = VirtualClock()
        let ticks = Guarded<[Int]>([])
        let start = clock.now
        @Sendable func tick(_ number: Int) {
            clock.schedule(at: start.advanced(by: .milliseconds(10 * number))) {
                ticks.withLock { $0.append(clock.now.frame) }
                // The work takes a while, more in some ticks than a whole period.
                clock.advance(by: .milliseconds(number.isMultiple(of: 50) ? 23 : 3))
                if number < 1_000 { tick(number + 1) }
            }
        }
        tick(1)
        clock.advance(by: .seconds(11))
        let times = ticks.withLock { $0 }
        #expect(times.count == 1_000 && (times.last ?? 0) < 10_030)
        let late = zip(times, 1...).filter { $0 != 10 * $1 }
        #expect(late.count < 100 && late.allSatisfy { $0 - 10 * $1 < 25 })
    }

    @Test func aThousandTicksOfAClockSchedulerDoNotDrift() async {
        let clock = VirtualClock()
        let scheduler = ClockScheduler(clock)
        let ticks = Guarded<[Int]>([])
        let bell = Bell()
        let start = clock.now
        @Sendable func tick(_ number: Int) {
            scheduler.schedule(at: start.advanced(by: .milliseconds(10 * number))) {
                ticks.withLock { $0.append(clock.now.frame) }
                if number < 1_000 { tick(number + 1) }
                bell.ring()
            }
        }
        tick(1)
        for number in 1...1_000 {
            await clock.untilScheduled(1)
            clock.advance(to: .frame(10 * number + number % 7))
            await bell.wait(number)
        }
        let times = ticks.withLock { $0 }
        #expect((times.last ?? 0) < 10_007 && zip(times, 1...).allSatisfy { $0 - 10 * $1 < 7 })
    }

    @Test func delayKeepsDistancesOfAThousandElementsExactly() throws {
        let clock = VirtualClock()
        let subject = PublishSubject<Int, Never>()
        let seen = Guarded<[Int]>([])
        let token = subject.delay(for: .milliseconds(25), on: clock).subscribe { number in
            seen.withLock { $0.append(clock.now.frame - number) }
        }
        for number in 0..<1_000 {
            clock.schedule(at: .frame(10 * number)) { subject.send(10 * number) }
        }
        try clock.run()
        #expect(seen.withLock { $0 } == Array(repeating: 25, count: 1_000))
        token.cancel()
    }
}
