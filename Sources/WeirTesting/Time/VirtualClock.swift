/// A clock that stands still until you move it, for tests of time: an hour takes a millisecond.
///
/// It is a scheduler for operators (`debounce(for:on: clock)`) and a clock of the standard library for async code
/// (`clock.sleep(for:)`). Work runs inside `advance` and `run`, on the thread that calls them: earliest first, and in the
/// order in which it was scheduled where instants are equal. Work may schedule more work, and also move the clock.
///
/// Everything is safe from any thread. Let one thread move the clock at a time: two would share the work between them,
/// and nobody could say in which order it ran.
public final class VirtualClock: Clock, Weir.Scheduler, CustomStringConvertible {
    struct Waiter {
        let count: Int
        let resume: @Sendable () -> Void
    }
    struct State {
        var now = Instant()
        var agenda = Agenda<@Sendable () -> Void>()
        var waiters: [Int: Waiter] = [:]
        var waiterNumbers = 0
        /// Grows with each change of the agenda.
        var changes = 0
    }
    let state = Lock(State())

    /// A clock at its start.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: any two instants can be told apart.
    public var minimumResolution: Duration { .zero }

    /// How many pieces of work and how many sleepers wait for their instant.
    public var scheduledCount: Int { state.withLock { $0.agenda.count } }

    /// Runs `work` at the present instant, once somebody moves the clock, if only by zero. O(log n).
    public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(at: Instant(), work) }

    /// Runs `work` when the clock gets to the deadline. One that lies in the past means the present instant, behind what
    /// is scheduled for that already. O(log n), withdrawing O(1).
    @discardableResult
    public func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let (number, ready) = state.withLock { state -> (Int, [Waiter]) in
            state.changes += 1
            let number = state.agenda.insert(work, at: max(deadline, state.now))
            let ready = state.waiters.filter { $0.value.count <= state.agenda.count }
            for key in ready.keys { state.waiters[key] = nil }
            return (number, ready.sorted { $0.key < $1.key }.map(\.value))
        }
        for waiter in ready { waiter.resume() }
        return ScheduledWork { [weak self] in
            let dropped = self?.state.withLock { state in
                state.changes += 1
                return state.agenda.remove(number)
            }
            _ = dropped
        }
    }

    /// Moves the clock by `duration` and runs what becomes due on the way, each piece at its own instant.
    ///
    /// - Parameter duration: zero runs what is due now; less does the same.
    public func advance(by duration: Duration) { advance(to: now.advanced(by: duration.reachable)) }

    /// Moves the clock to `instant` and runs what becomes due on the way, each piece at its own instant. The clock never
    /// goes back: an instant in the past runs what is due now.
    public func advance(to instant: Instant) {
        let limit = max(instant, now)
        while let work = popFirst(upTo: limit) { work() }
        arrive(at: limit)
    }

    /// Moves the clock on for as long as work waits, and stops at the instant of the last piece.
    ///
    /// - Parameter limit: pieces of work, at most. Something that schedules itself anew for ever, such as an `interval`
    ///   that nobody cancels, would otherwise never let this return.
    /// - Throws: `EndlessWork` where work still waits after that many pieces.
    public func run(limit: Int = 1_000_000) throws(EndlessWork) {
        var ran = 0
        while let work = popFirst(upTo: nil, ifBelow: ran < limit) {
            ran += 1
            work()
        }
        try checkDone(ran)
    }

    /// As in `VirtualClock(0.012 seconds, 2 scheduled)`.
    public var description: String {
        let (now, count) = state.withLock { ($0.now, $0.agenda.count) }
        return "VirtualClock(\(now), \(count) scheduled)"
    }
}

/// `VirtualClock.run()` reached its limit, and work still waits.
public struct EndlessWork: Error, Equatable, CustomStringConvertible {
    /// How many pieces of work have run.
    public let ran: Int
    /// How many wait.
    public let waiting: Int
    /// The clock's present moment.
    public let now: VirtualClock.Instant

    /// What happened and what to do.
    public var description: String {
        "VirtualClock.run() stopped after \(ran) pieces of work at \(now): \(waiting) still scheduled. Something "
            + "schedules itself for ever; cancel it, use advance(by:), or call run(limit:) with a greater limit"
    }
}

extension VirtualClock {
    func popFirst(upTo limit: Instant?, ifBelow isAllowed: Bool = true) -> (@Sendable () -> Void)? {
        guard isAllowed else { return nil }
        return state.withLock { state in
            guard let (due, work) = state.agenda.popFirst(upTo: limit) else { return nil }
            state.now = max(state.now, due)
            state.changes += 1
            return work
        }
    }
    func arrive(at instant: Instant) {
        state.withLock { state in
            state.now = max(state.now, instant)
            state.changes += 1
        }
    }
    func checkDone(_ ran: Int) throws(EndlessWork) {
        let (waiting, now) = state.withLock { ($0.agenda.count, $0.now) }
        if waiting > 0 { throw EndlessWork(ran: ran, waiting: waiting, now: now) }
    }
}
