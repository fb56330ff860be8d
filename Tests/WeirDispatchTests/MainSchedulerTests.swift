import Testing
import WeirDispatch
import WeirTesting

@Suite struct MainSchedulerTests {
    @Test func worksOnTheMainActor() async {
        let numbers = await withCheckedContinuation { continuation in
            MainScheduler().schedule { continuation.resume(returning: MainActor.assumeIsolated { 7 }) }
        }
        #expect(numbers == 7 && "\(MainScheduler())" == "MainScheduler")
    }

    @Test @MainActor func workFromTheMainActorTakesItsTurn() async {
        let log = Guarded<[String]>([])
        await withCheckedContinuation { continuation in
            MainScheduler().schedule {
                log.withLock { $0.append("work") }
                continuation.resume()
            }
            log.withLock { $0.append("caller") }
        }
        #expect(log.withLock { $0 } == ["caller", "work"])
    }

    @Test func aDeadlineIsWaitedFor() async {
        let scheduler: some Scheduler = .main
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: .milliseconds(5)) { continuation.resume() }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(5))
    }

    @Test func receiveDeliversThere() async throws {
        let here = try await Observable<Int, Never>.just(1).receive(on: .main)
            .map { _ in MainActor.assumeIsolated { true } }.value
        #expect(here)
    }
}
