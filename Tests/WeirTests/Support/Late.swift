import Weir
import WeirTestSupport
import WeirTesting

/// Deadlines on a virtual clock, and how much later each is met.
final class Lateness: Sendable {
    private let state: Guarded<(random: Seeded, deadlines: [Int])>
    private let frames: ClosedRange<Int>

    /// - Parameter frames: a wake comes that much late, another time each.
    init(_ frames: ClosedRange<Int>, seed: UInt64 = 1) {
        self.frames = frames
        state = Guarded((Seeded(seed), []))
    }
    /// All that were asked for, in their order.
    var deadlines: [Int] { state.withLock { $0.deadlines } }

    func meet(_ deadline: VirtualClock.Instant) -> VirtualClock.Instant {
        state.withLock { state in
            state.deadlines.append(deadline.frame)
            return deadline.advanced(by: .frames(Int.random(in: frames, using: &state.random)))
        }
    }
}

/// A scheduler that wakes late.
struct LateScheduler: Scheduler {
    let clock: VirtualClock
    let lateness: Lateness
    var now: VirtualClock.Instant { clock.now }
    func schedule(_ work: @escaping @Sendable () -> Void) { clock.schedule(work) }
    func schedule(at deadline: VirtualClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        clock.schedule(at: lateness.meet(deadline), work)
    }
}
