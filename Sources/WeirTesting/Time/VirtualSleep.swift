// The clock for async code: sleeping on it, and moving it in a test whose tasks sleep on it.
//
// A task gets to its `sleep` when the concurrency pool lets it. A clock that moves before that moves past it: the sleep
// then starts from the later instant. So a test waits for the sleeper first, which is certain:
//
//     let task = Task { try await clock.sleep(for: .seconds(5)); return 7 }
//     await clock.untilScheduled(1)          // the task sleeps now
//     clock.advance(by: .seconds(5))
//     #expect(try await task.value == 7)     // and this waits for what it does next
//
// Where there is no such thing to wait for, `settle` and the `…AndSettle` forms give other tasks many turns. That is a
// good guess and no proof: nobody can ask the pool whether it is idle.

extension VirtualClock {
    /// Sleeps until the clock has been moved to `deadline`.
    ///
    /// - Parameters:
    ///   - deadline: one that is past returns at once.
    ///   - tolerance: not used: this clock is exact.
    /// - Throws: `CancellationError`, at once, where the task is cancelled; the sleeper is withdrawn.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        let sleeper = Once<Bool>()
        let isCancelled = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                sleeper.wait { continuation.resume(returning: $0) }
                sleeper.onEnd(schedule(at: deadline) { sleeper.end(false) })
            }
        } onCancel: {
            sleeper.end(true)
        }
        if isCancelled { throw CancellationError() }
    }

    /// Waits until `count` pieces of work or sleepers are scheduled on this clock: the certain way to know that a task
    /// has got to its `sleep`. It returns early where the waiting task is cancelled.
    public func untilScheduled(_ count: Int = 1) async {
        let turn = Once<Bool>()
        await withTaskCancellationHandler {
            _ = await withUnsafeContinuation { continuation in
                turn.wait { continuation.resume(returning: $0) }
                let number = state.withLock { state -> Int? in
                    if state.agenda.count >= count { return nil }
                    state.waiterNumbers += 1
                    state.waiters[state.waiterNumbers] = Waiter(count: count) { turn.end(false) }
                    return state.waiterNumbers
                }
                guard let number else { return turn.end(false) }
                turn.onEnd(
                    ScheduledWork { [weak self] in
                        let waiter = self?.state.withLock { $0.waiters.removeValue(forKey: number) }
                        _ = waiter
                    })
            }
        } onCancel: {
            turn.end(true)
        }
    }

    /// Gives other tasks turns until nothing on this clock has changed for many of them.
    ///
    /// Tasks that only compute, wait for each other, or sleep on this clock get to where they wait. A task that waits for
    /// the world outside, or for another clock, is not waited for.
    public func settle() async {
        var quietTurns = 0
        var seen = state.withLock { $0.changes }
        while quietTurns < 20 {
            // A new task has its turn behind those of its priority that are ready.
            await Task.detached(priority: Task.currentPriority) { await Task.yield() }.value
            let changes = state.withLock { $0.changes }
            quietTurns = changes == seen ? quietTurns + 1 : 0
            seen = changes
        }
    }

    /// Moves the clock by `duration` like `advance(by:)`, and settles before the first piece of work and after each.
    public func advanceAndSettle(by duration: Duration) async { await advanceAndSettle(to: now.advanced(by: duration)) }

    /// Moves the clock to `instant` like `advance(to:)`, and settles before the first piece of work and after each, so
    /// that what a resumed task schedules in between runs at its instant.
    public func advanceAndSettle(to instant: Instant) async {
        let limit = max(instant, now)
        await settle()
        while let work = popFirst(upTo: limit) {
            work()
            await settle()
        }
        arrive(at: limit)
        await settle()
    }

    /// Runs like `run()`, and settles before the first piece of work and after each.
    ///
    /// - Parameter limit: pieces of work, at most.
    /// - Throws: `EndlessWork` where work still waits after that many pieces.
    public func runAndSettle(limit: Int = 10_000) async throws(EndlessWork) {
        var ran = 0
        await settle()
        while let work = popFirst(upTo: nil, ifBelow: ran < limit) {
            ran += 1
            work()
            await settle()
        }
        try checkDone(ran)
    }
}

/// An answer that is given once, from whichever side comes first, and what to withdraw then.
final class Once<Answer: Sendable>: Sendable {
    private struct State {
        var answer: Answer?
        var waiter: (@Sendable (Answer) -> Void)?
        var withdraw: ScheduledWork?
    }
    private let state = Lock(State())

    func wait(_ waiter: @escaping @Sendable (Answer) -> Void) {
        let answer = state.withLock { state in
            if state.answer == nil { state.waiter = waiter }
            return state.answer
        }
        if let answer { waiter(answer) }
    }
    func onEnd(_ work: ScheduledWork) {
        let isLate = state.withLock { state in
            if state.answer == nil { state.withdraw = work }
            return state.answer != nil
        }
        if isLate { work.cancel() }
    }
    func end(_ answer: Answer) {
        let (waiter, withdraw) = state.withLock { state in
            if state.answer != nil { return (nil, nil) as ((@Sendable (Answer) -> Void)?, ScheduledWork?) }
            state.answer = answer
            let taken = (state.waiter, state.withdraw)
            state.waiter = nil
            state.withdraw = nil
            return taken
        }
        withdraw?.cancel()
        waiter?(answer)
    }
}
