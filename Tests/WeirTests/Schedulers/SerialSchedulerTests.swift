import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct SerialSchedulerTests {
    @Test func workFromInsideWaitsItsTurn() {
        let log = Log()
        let scheduler = SerialScheduler()
        scheduler.schedule {
            scheduler.schedule { log.add("c") }
            log.add("a")
            scheduler.schedule { log.add("d") }
            log.add("b")
        }
        #expect("\(log)" == "a, b, c, d" && "\(scheduler)" == "SerialScheduler")
    }

    @Test func aLoopThroughItNeedsNoStack() {
        onThread(stack: 128) {
            let scheduler = SerialScheduler()
            let runs = Counter()
            @Sendable func step(_ left: Int) {
                runs.add()
                if left > 1 { scheduler.schedule { step(left - 1) } }
            }
            step(100_000)
            #expect(runs.value == 100_000)
        }
    }

    @Test func aDeadlineIsWaitedForAndTheWorkTakesItsTurn() async {
        let bell = Bell()
        let scheduler = SerialScheduler()
        let start = scheduler.now
        scheduler.schedule(after: .milliseconds(5)) { bell.ring() }
        await bell.wait()
        #expect(scheduler.now - start >= .milliseconds(5))
    }

    @Test func onePieceAtATimeOnTwoThreads() {
        race("two threads onto a serial scheduler", rounds: 5) { meet in
            let scheduler = SerialScheduler()
            let inside = Guarded((now: 0, most: 0, runs: 0))
            let body: @Sendable () -> Void = {
                for _ in 0..<5_000 {
                    meet {
                        scheduler.schedule {
                            inside.withLock { inside in
                                inside.now += 1
                                inside.most = max(inside.most, inside.now)
                                inside.runs += 1
                            }
                            inside.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
            return ([body, body], { #expect(inside.withLock { $0.most == 1 && $0.runs == 10_000 }) })
        }
    }
}
