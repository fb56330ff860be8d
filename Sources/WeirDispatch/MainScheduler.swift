import Dispatch

/// Runs work on the main queue, where the main actor lives too.
public struct MainScheduler: Scheduler, CustomStringConvertible {
    private let main = DispatchScheduler(.main)

    /// The scheduler of the main queue.
    public init() {}

    /// The continuous clock's present moment.
    public var now: ContinuousClock.Instant { main.now }

    /// Runs `work` on the main queue, in its turn, also when called from there.
    public func schedule(_ work: @escaping @Sendable () -> Void) { main.schedule(work) }

    /// Runs `work` on the main queue, once the deadline is reached.
    @discardableResult
    public func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    {
        main.schedule(at: deadline, work)
    }

    /// `MainScheduler`.
    public var description: String { "MainScheduler" }
}

extension Scheduler where Self == MainScheduler {
    /// The main queue.
    public static var main: MainScheduler { MainScheduler() }
}
