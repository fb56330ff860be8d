/// Runs work on an actor, one piece after the other, in the order in which it was handed over.
///
/// Where a handler shall use the actor's own state, `observe` is the better way: the compiler then knows where it runs. This
/// is for operators that take a scheduler. It holds the actor.
public struct ActorScheduler: Scheduler, CustomStringConvertible {
    private let lane: ActorLane

    /// A scheduler on `actor`. Two schedulers on one actor take turns there, each in its own order.
    public init(_ actor: any Actor) { lane = ActorLane(actor) }

    /// The continuous clock's present moment.
    public var now: ContinuousClock.Instant { .now }

    /// Runs `work` on the actor, behind what waits already, also when called from there.
    public func schedule(_ work: @escaping @Sendable () -> Void) { lane.run(work) }

    /// Runs `work` on the actor in its turn, once the deadline is reached. Withdrawing it cancels the wait; work that is
    /// in its turn already runs.
    @discardableResult
    public func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    {
        let lane = lane
        return ClockScheduler(ContinuousClock()).schedule(at: deadline) { lane.run(work) }
    }

    /// As in `ActorScheduler(MainActor)`.
    public var description: String { "ActorScheduler(\(type(of: lane.actor)))" }
}

extension ActorScheduler {
    fileprivate static let main = ActorScheduler(MainActor.shared)
}

extension Scheduler where Self == ActorScheduler {
    /// The main actor, without Dispatch; all uses share one order.
    public static var mainActor: ActorScheduler { ActorScheduler.main }
}

/// The order of an actor's work. Each piece has a task of its own, and so the task-locals and the priority of whoever
/// scheduled it; one that gets to the actor before its turn waits there.
private final class ActorLane: Sendable {
    private struct State {
        /// How many pieces were handed over, and how many have run.
        var issued = 0
        var served = 0
        var early: [Int: UnsafeContinuation<Void, Never>] = [:]
    }
    let actor: any Actor
    private let state = Lock(State())

    init(_ actor: any Actor) { self.actor = actor }

    func run(_ work: @escaping @Sendable () -> Void) {
        let number = state.withLock { state in
            state.issued += 1
            return state.issued
        }
        Task { await run(work, number, on: actor) }
    }
    private func run(_ work: () -> Void, _ number: Int, on actor: isolated any Actor) async {
        if state.withLock({ $0.served + 1 < number }) { await turn(number) }
        work()
        let next = state.withLock { state in
            state.served = number
            return state.early.removeValue(forKey: number + 1)
        }
        next?.resume()
    }
    private nonisolated(nonsending) func turn(_ number: Int) async {
        await withUnsafeContinuation { continuation in
            let isTurn = state.withLock { state in
                if state.served + 1 < number { state.early[number] = continuation }
                return state.served + 1 == number
            }
            if isTurn { continuation.resume() }
        }
    }
}
