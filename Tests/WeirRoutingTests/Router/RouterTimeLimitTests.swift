import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

/// Many time limits, one timer.
@Suite struct RouterTimeLimitTests {
    /// A withdrawn timer of the system stays until its time.
    @Test func requestsInARowDoNotPileUpTimers() async {
        let scheduler = CountingScheduler()
        let router = Router(on: scheduler)
        router.map("/x") { _ in }
        for _ in 1...1_000 { #expect(await router.open("/x").isHandled) }
        print("time limits: 1000 requests in a row set \(scheduler.timers.withLock { $0 }) timers")
        #expect(scheduler.timers.withLock { $0 } <= 101)
    }

    @Test func aRouterThatGoesTakesItsTimerAlong() async {
        let clock = VirtualClock()
        do {
            let router = Router(on: clock)
            router.map("/x") { _ in }
            for _ in 1...300 { #expect(await router.open("/x").isHandled) }
            #expect(clock.scheduledCount <= 1)
        }
        await until { clock.scheduledCount == 0 }
    }

    @Test func eachHandlerHasItsOwnLimit() async {
        let clock = VirtualClock()
        let router = Router(timeLimit: .seconds(10), on: clock)
        let log = Log()
        router.map("/outer") { request in
            await log.add("\(request.open("/inner"))")
            await log.add("\(request.open("/short"))")
            _ = await Observable<Void, Never>.never().first
        }
        router.map("/inner", timeLimit: .seconds(20)) { _ in await until { log.lines.contains("go on") } }
        router.map("/short", timeLimit: .seconds(2)) { _ in _ = await Observable<Void, Never>.never().first }
        let opened = openAll(router, ["/outer"])[0]
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(5))
        log.add("go on")
        await until { log.lines.count == 2 }
        // The short one began at 5 s or as soon as its task ran; it ends before the outer one does.
        while log.lines.count < 3 {
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
        #expect(log.lines == ["go on", #".handled("/inner")"#, #".timedOut("/short")"#])
        #expect(clock.now < VirtualClock().now.advanced(by: .seconds(10)))
        clock.advance(by: .seconds(10))
        #expect("\(await opened.outcome)" == #".timedOut("/outer")"#)
        #expect(clock.scheduledCount == 0)
    }

    @Test func aLimitOfNothingCutsAtOnce() async {
        let router = Router(timeLimit: .zero)
        router.map("/x") { _ in _ = await Observable<Void, Never>.never().first }
        #expect("\(await router.open("/x"))" == #".timedOut("/x")"#)
        router.map("/long", timeLimit: .seconds(Int64.max)) { _ in }
        #expect(await router.open("/long").isHandled)
    }
}

/// The continuous clock's scheduler, with a count of the timers that it was asked for.
private struct CountingScheduler: Scheduler {
    let timers = Guarded(0)

    var now: ContinuousClock.Instant { .now }
    func schedule(_ work: @escaping @Sendable () -> Void) { ClockScheduler(ContinuousClock()).schedule(work) }
    func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        timers.withLock { $0 += 1 }
        return ClockScheduler(ContinuousClock()).schedule(at: deadline, work)
    }
}
