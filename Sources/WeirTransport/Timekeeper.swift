// Any scheduler as two closures, so that what waits does not have to be generic over whose time it waits in.

/// Time and waiting, in virtual or in real time.
package struct Timekeeper: Sendable {
    /// Time since this timekeeper was made.
    package let now: @Sendable () -> Duration
    private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> ScheduledWork

    /// The time of `scheduler`.
    package init(_ scheduler: some Scheduler) {
        let start = scheduler.now
        now = { start.duration(to: scheduler.now) }
        later = { scheduler.schedule(after: $0, $1) }
    }

    /// Runs `work` after `delay`; the answer withdraws it.
    package func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        later(delay, work)
    }
}
