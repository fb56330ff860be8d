import Testing
import Weir
import WeirTesting

@Suite struct UnimplementedSchedulerTests {
    @Test func saysSoAndRunsNothing() {
        let reports = Guarded<[String]>([])
        let scheduler = UnimplementedScheduler("Search") { text in reports.withLock { $0.append(text) } }
        let ran = Guarded(0)
        scheduler.schedule { ran.withLock { $0 += 1 } }
        let work = scheduler.schedule(at: .frame(12)) { ran.withLock { $0 += 1 } }
        work.cancel()
        #expect(scheduler.now == .frame(0) && ran.withLock { $0 } == 0)
        let hint = "of Search was used, which is unimplemented: give it a VirtualClock or another scheduler"
        #expect(
            reports.withLock { $0 } == ["schedule \(hint)", "schedule(at: 0.012 seconds) \(hint)", "now \(hint)"])
        #expect("\(scheduler)" == "UnimplementedScheduler(Search)")
    }

    @Test func anOperatorThatNeedsNoTimeDoesNotTouchIt() {
        let reports = Guarded(0)
        let scheduler = UnimplementedScheduler("x") { _ in reports.withLock { $0 += 1 } }
        let probe = Probe<Int, Never>()
        probe.attach(to: Observable<Int, Never>.empty().debounce(for: .frames(1), on: scheduler))
        probe.request(.unbounded)
        #expect(probe.isDone && reports.withLock { $0 } == 0)
    }

    @Test func anOperatorThatNeedsTimeReportsAndFreesItsChain() {
        let reports = Guarded(0)
        let probe = Probe<Int, Never>()
        probe.attach(
            to: Observable<Int, Never>.just(1).delay(
                for: .frames(1), on: .unimplemented("x", report: { @Sendable _ in reports.withLock { $0 += 1 } })))
        probe.request(.unbounded)
        #expect(!probe.isDone && probe.elements == [] && reports.withLock { $0 } > 0)
        probe.cancel()
        #expect(probe.isReleased)
    }

    @Test func withoutAClosureItIsWhatNobodyHandled() {
        let scheduler: some Weir.Scheduler = .unimplemented
        let line: UInt = #line + 1
        let named = UnimplementedScheduler("quiet")
        let seen = Guarded<[String]>([])
        let old = Unhandled.hook
        Unhandled.hook = { unhandled in
            if unhandled.message.contains("quiet") { seen.withLock { $0.append("\(unhandled.line)") } }
        }
        named.schedule {}
        Unhandled.hook = old
        #expect(seen.withLock { $0 } == ["\(line)"] && "\(scheduler)" == "UnimplementedScheduler(a scheduler)")
    }
}
