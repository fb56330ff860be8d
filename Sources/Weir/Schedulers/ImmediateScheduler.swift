/// Runs work at once, on the thread that hands it over; a deadline is not waited for.
///
/// It suits an operator whose place does not matter. Work scheduled from inside work nests: for a loop take
/// `SerialScheduler`, for tests of time `VirtualClock` of WeirTesting.
public struct ImmediateScheduler: Scheduler, CustomStringConvertible {
    /// A scheduler without state.
    @inlinable public init() {}

    /// The continuous clock's present moment.
    @inlinable public var now: ContinuousClock.Instant { .now }

    /// Runs `work` before it returns.
    @inlinable public func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    /// Runs `work` before it returns, whatever the deadline.
    @discardableResult @inlinable
    public func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    {
        work()
        return ScheduledWork {}
    }

    /// `ImmediateScheduler`.
    public var description: String { "ImmediateScheduler" }
}

extension Scheduler where Self == ImmediateScheduler {
    /// Runs work at once.
    @inlinable public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}
