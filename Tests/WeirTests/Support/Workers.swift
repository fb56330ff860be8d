import Weir
import WeirTesting

/// A concurrent scheduler: whichever thread comes runs what waits.
final class Workers: Scheduler {
    private let waiting = Guarded<[@Sendable () -> Void]>([])
    var now: ContinuousClock.Instant { .now }
    func schedule(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }
    func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        schedule(work)
        return ScheduledWork {}
    }
    /// Answers whether nothing waits.
    @discardableResult func runOne() -> Bool {
        let work = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        work?()
        return work == nil
    }
}
