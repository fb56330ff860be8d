/// A place and a time for work: operators that wait or hop take one as `on:`.
///
/// Time is monotonic. Work given to a scheduler may run at once, later, or side by side with other work: operators keep
/// their elements in order on any of them, the completion last.
public protocol Scheduler: Sendable {
    /// A point in this scheduler's time.
    associatedtype Instant: InstantProtocol & Sendable where Instant.Duration == Swift.Duration

    /// The present moment.
    var now: Instant { get }

    /// Runs `work` as soon as this scheduler can.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` once the deadline is reached; a deadline in the past means as soon as possible.
    ///
    /// - Returns: what withdraws the work. Letting go of it withdraws nothing.
    @discardableResult
    func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
}

extension Scheduler {
    /// Runs `work` after `delay` from now.
    ///
    /// - Parameter delay: zero or less means as soon as possible.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        schedule(at: deadline(after: delay), work)
    }
}

extension Scheduler {
    /// From now; a time that no clock can add counts as 136 years.
    @inlinable func deadline(after time: Duration) -> Instant { now.advanced(by: time.reachable) }
}

extension Duration {
    /// 136 years. Clocks stop the program at deadlines that do not fit, and nobody waits for longer.
    @inlinable static var farthest: Duration { .seconds(1 << 32) }
    /// No further away than the farthest.
    @inlinable package var reachable: Duration { min(max(self, .zero - .farthest), .farthest) }
}

/// A piece of work that waits on a scheduler.
public struct ScheduledWork: Sendable {
    @usableFromInline let withdraw: @Sendable () -> Void

    /// From what withdraws the work; it may be called from any thread, also after the work has run.
    @inlinable public init(_ withdraw: @escaping @Sendable () -> Void) { self.withdraw = withdraw }

    /// Withdraws the work. Work that already runs finishes; a second call does nothing.
    @inlinable public func cancel() { withdraw() }
}
