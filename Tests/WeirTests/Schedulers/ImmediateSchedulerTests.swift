import Testing
import Weir

@Suite struct ImmediateSchedulerTests {
    @Test func worksAtOnceWhateverTheDeadline() {
        let log = Log()
        let scheduler: some Scheduler = .immediate
        scheduler.schedule { log.add("a") }
        log.add("b")
        let work = scheduler.schedule(after: .seconds(3_600)) { log.add("c") }
        log.add("d")
        work.cancel()
        #expect("\(log)" == "a, b, c, d" && "\(ImmediateScheduler())" == "ImmediateScheduler")
    }
}
