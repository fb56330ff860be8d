/// A trampoline: work runs on the thread that hands it over, one piece at a time, first in, first out.
///
/// Work scheduled from inside work waits until the piece in hand is done, so a loop through it needs no stack. Work
/// handed over by another thread meanwhile is run by the thread that is running. Deadlines wait on a clock, and the work
/// then takes its turn.
public final class SerialScheduler: Scheduler, CustomStringConvertible {
    private let serial = SerialQueue()

    /// A scheduler with an empty queue.
    public init() {}

    /// The continuous clock's present moment.
    public var now: ContinuousClock.Instant { .now }

    /// Runs `work` now, or after what is running and waiting.
    public func schedule(_ work: @escaping @Sendable () -> Void) { serial.run(work) }

    /// Runs `work` in its turn, once the deadline is reached.
    @discardableResult
    public func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    {
        let serial = serial
        return ClockScheduler(ContinuousClock()).schedule(at: deadline) { serial.run(work) }
    }

    /// `SerialScheduler`.
    public var description: String { "SerialScheduler" }
}
