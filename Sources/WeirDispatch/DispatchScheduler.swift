import Dispatch

/// Runs work on a dispatch queue, and deadlines on the continuous clock.
///
/// On a concurrent queue pieces of work may run side by side; operators keep their elements in order all the same.
/// Deadlines are absolute, so a chain of them does not drift.
public struct DispatchScheduler: Scheduler, CustomStringConvertible {
    /// The queue that work runs on.
    public let queue: DispatchQueue

    /// A scheduler on `queue`.
    public init(_ queue: DispatchQueue) { self.queue = queue }

    /// The continuous clock's present moment.
    public var now: ContinuousClock.Instant { .now }

    /// Runs `work` on the queue, after what waits there already.
    public func schedule(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` on the queue, once the deadline is reached.
    ///
    /// Withdrawn work is let go at once, with all that it holds. The queue's own entry cannot be taken back: it stays, empty,
    /// until the deadline, with about 400 bytes.
    @discardableResult
    public func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    {
        let pending = PendingWork(work)
        let wait = DispatchTimeInterval(ContinuousClock.now.duration(to: deadline))
        queue.asyncAfter(deadline: .now() + wait) { pending.run() }
        return ScheduledWork { pending.withdraw() }
    }

    /// As in `DispatchScheduler(com.example.work)`.
    public var description: String { "DispatchScheduler(\(queue.label))" }
}

extension DispatchTimeInterval {
    /// `duration` in nanoseconds, never negative, at most what fits (292 years).
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 {
            self = .nanoseconds(0)
        } else if seconds >= Int64.max / 1_000_000_000 {
            self = .nanoseconds(.max)
        } else {
            self = .nanoseconds(max(0, Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)))
        }
    }
}
