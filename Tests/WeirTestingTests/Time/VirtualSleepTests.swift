import Testing
import WeirTesting

@Suite(.timeLimit(.minutes(5))) struct VirtualSleepTests {
    let clock = VirtualClock()

    @Test func sleepEndsAtItsInstant() async throws {
        let task = Task { [clock] in
            try await clock.sleep(for: .seconds(3_600))
            return clock.now
        }
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(3_600))
        #expect(try await task.value == VirtualClock.Instant(offset: .seconds(3_600)))
    }

    @Test func pastDeadlinesReturnAtOnce() async throws {
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.scheduledCount == 0)
    }

    @Test func cancelWakesAndWithdraws() async {
        let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.untilScheduled(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.scheduledCount == 0)
        let late = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(clock.scheduledCount == 0)
    }

    @Test func waitingForASleeperCanBeCancelled() async {
        let task = Task { [clock] in await clock.untilScheduled(1) }
        task.cancel()
        await task.value
    }

    @Test func settlingLetsALoopOfSleepsRunAtItsInstants() async throws {
        let notes = Notes()
        let task = Task { [clock] in
            for _ in 0..<3 {
                try await clock.sleep(for: .frames(10))
                notes.add("\(clock.now.frame)")
            }
        }
        await clock.untilScheduled(1)
        await clock.advanceAndSettle(by: .frames(100))
        try await task.value
        #expect(notes.all == ["10", "20", "30"])
        #expect(clock.now == .frame(100))
    }

    @Test func runAndSettleIsBounded() async throws {
        let task = Task { [clock] in while true { try await clock.sleep(for: .frames(1)) } }
        await clock.untilScheduled(1)
        let error = await #expect(throws: EndlessWork.self) { try await clock.runAndSettle(limit: 20) }
        #expect(error?.ran == 20)
        task.cancel()
        _ = await task.result
    }
}
