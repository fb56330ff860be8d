import Testing
import Weir
import WeirTestSupport
import WeirTesting

private actor Room {
    var numbers: [Int] = []
    nonisolated func add(_ number: Int) { assumeIsolated { $0.numbers.append(number) } }
}

@Suite(.ownThread) struct ActorSchedulerTests {
    @Test func runsWorkOnTheActorInOrder() async {
        let room = Room()
        let scheduler = ActorScheduler(room)
        let bell = Bell()
        for number in 0..<1_000 { scheduler.schedule { room.add(number) } }
        scheduler.schedule { bell.ring() }
        await bell.wait()
        #expect(await room.numbers == Array(0..<1_000) && "\(scheduler)" == "ActorScheduler(Room)")
    }

    @Test @MainActor func workFromInsideWaitsItsTurn() async {
        let log = Log()
        let bell = Bell()
        let scheduler: some Scheduler = .mainActor
        scheduler.schedule {
            MainActor.assertIsolated()
            scheduler.schedule {
                log.add("b")
                bell.ring()
            }
            log.add("a")
        }
        #expect(log.all == [])
        await bell.wait()
        #expect(log.all == ["a", "b"])
    }

    @Test func waitsForTheDeadlineAndWithdraws() async {
        let scheduler = ActorScheduler(Room())
        let bell = Bell()
        let canary = WeakCanary()
        func withdraw() {
            let held = Canary()
            canary.set(held)
            scheduler.schedule(after: .seconds(3_600)) { _ = held }.cancel()
        }
        withdraw()
        let start = scheduler.now
        scheduler.schedule(after: .milliseconds(5)) { bell.ring() }
        await bell.wait()
        #expect(scheduler.now - start >= .milliseconds(5))
        await until { !canary.isAlive }
        #expect(!canary.isAlive)
    }

    @Test func elementsOfTwoThreadsKeepTheirOrderEach() async {
        let room = Room()
        let scheduler = ActorScheduler(room)
        await race("two threads onto an actor scheduler", threads: 2, rounds: 2_000) { thread, round in
            scheduler.schedule { room.add(thread * 10_000 + round) }
            // Lets the other thread run while this one is inside, or on a busy machine they might never meet.
            if round % 32 == 0 { spin(atMost: .microseconds(50)) { false } }
        }
        let bell = Bell()
        scheduler.schedule { bell.ring() }
        await bell.wait()
        let numbers = await room.numbers
        #expect(numbers.filter { $0 < 10_000 } == Array(0..<2_000))
        #expect(numbers.filter { $0 >= 10_000 } == Array(10_000..<12_000))
    }
}
