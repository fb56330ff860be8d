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

/// What waits for an actor, and the one drain that works it off there.
private final class ActorLane: Sendable {
    let actor: any Actor
    private let inbox = Inbox<@Sendable () -> Void, Never>()

    init(_ actor: any Actor) { self.actor = actor }

    func run(_ work: @escaping @Sendable () -> Void) {
        if inbox.put(.next(work)) { Task { await drain(on: actor) } }
    }
    private func drain(on actor: isolated any Actor) { inbox.drain({ $0() }, { _ in }) }
}
