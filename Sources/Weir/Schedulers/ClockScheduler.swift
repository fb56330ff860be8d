/// Runs work in tasks of the concurrency pool, and deadlines on a clock of the standard library.
///
/// Pieces of work may run side by side; operators keep their elements in order all the same. Deadlines are absolute, so
/// a chain of them does not drift.
public struct ClockScheduler<C: Clock>: Scheduler, CustomStringConvertible
where C.Duration == Swift.Duration, C.Instant: Sendable {
    /// The clock that deadlines are measured on.
    public let clock: C

    /// A scheduler on `clock`.
    @inlinable public init(_ clock: C) { self.clock = clock }

    /// The clock's present moment.
    @inlinable public var now: C.Instant { clock.now }

    /// Runs `work` in a task of its own.
    @inlinable public func schedule(_ work: @escaping @Sendable () -> Void) { Task { work() } }

    /// Runs `work` in a task of its own, once the deadline is reached. Withdrawing it cancels the wait.
    @discardableResult @inlinable
    public func schedule(at deadline: C.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let clock = clock
        let reachable = min(deadline, clock.now.advanced(by: .farthest))
        let task = Task {
            // A cancelled wait throws: the work is withdrawn.
            guard (try? await clock.sleep(until: reachable, tolerance: nil)) != nil else { return }
            work()
        }
        return ScheduledWork { task.cancel() }
    }

    /// As in `ClockScheduler<ContinuousClock>`.
    public var description: String { "ClockScheduler<\(C.self)>" }
}

extension Scheduler where Self == ClockScheduler<ContinuousClock> {
    /// The continuous clock, which goes on while the machine sleeps: the default of every operator that waits.
    @inlinable public static var continuous: Self { ClockScheduler(ContinuousClock()) }
}

extension Scheduler where Self == ClockScheduler<SuspendingClock> {
    /// The suspending clock, which stops while the machine sleeps.
    @inlinable public static var suspending: Self { ClockScheduler(SuspendingClock()) }
}
