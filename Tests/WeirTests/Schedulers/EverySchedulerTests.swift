import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// A chain through a scheduler, by the scheduler's name: each kind is a type of its own.
private struct Hops: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let receive: @Sendable (Observable<Int, Boom>) -> Observable<Int, Boom>
    let delay: @Sendable (Observable<Int, Boom>) -> Observable<Int, Boom>
    let debounce: @Sendable (Observable<Int, Boom>) -> Observable<Int, Boom>
    let settle: @Sendable () -> Void

    init<S: Scheduler>(_ scheduler: S, settle: @escaping @Sendable () -> Void = {}) {
        testDescription = "\(S.self)"
        receive = { $0.receive(on: scheduler, prefetch: 7) }
        delay = { $0.delay(for: .milliseconds(1), on: scheduler) }
        debounce = { $0.debounce(for: .milliseconds(1), on: scheduler) }
        self.settle = settle
    }

    static var all: [Hops] {
        let clock = VirtualClock()
        let slow = VirtualClock()
        return [
            Hops(.immediate), Hops(SerialScheduler()), Hops(.continuous), Hops(.suspending), Hops(.mainActor),
            Hops(ActorScheduler(Room())), Hops(clock) { clock.advance(by: .seconds(1)) },
            Hops(ClockScheduler(slow)) { slow.advance(by: .seconds(1)) },
        ]
    }
}
private actor Room {}

/// Order is kept and the end comes last, on each scheduler.
@Suite(.ownThread) struct EverySchedulerTests {
    private func all(_ stream: Observable<Int, Boom>, _ hops: Hops) async -> Probe<Int, Boom> {
        let listener = Probe(stream, .unbounded)
        await until {
            hops.settle()
            return listener.end != nil
        }
        return listener
    }

    @Test(arguments: Hops.all) private func orderIsKeptAndTheEndComesLast(hops: Hops) async {
        for ending in [TestSource<Int, Boom>.Ending.finish, .fail(Boom())] {
            let received = await all(hops.receive(TestSource(Array(0..<2_000), ending).observable), hops)
            #expect(received.elements == Array(0..<2_000) && received.faults == ProbeFaults())
        }
        let delayed = await all(hops.delay(TestSource(Array(0..<2_000), .finish).observable), hops)
        #expect(delayed.elements == Array(0..<2_000) && delayed.faults == ProbeFaults() && delayed.end == .finished)
        let quiet = await all(hops.debounce(TestSource(Array(0..<2_000), .finish).observable), hops)
        #expect(quiet.elements.last == 1_999 && quiet.faults == ProbeFaults() && quiet.end == .finished)
    }

    @Test(arguments: Hops.all) private func emptyAndCancelledStreams(hops: Hops) async {
        let empty = await all(hops.receive(hops.delay(.empty())), hops)
        #expect(empty.text == "|")
        let upstream = TestSource<Int, Boom>([1], .silence)
        let silent = Probe(hops.delay(hops.receive(upstream.observable)), .unbounded)
        silent.cancel()
        hops.settle()
        await until { silent.isReleased }
        #expect(upstream.cancels == upstream.attaches && silent.faults == ProbeFaults())
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
