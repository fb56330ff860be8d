// interval and timer: emit on a clock.
//
//     interval(3 frames)      timer(3 frames)
//     ---0--1--2--…           ---(0|)

extension Observable where Element == Int, Failure == Never {
    /// Emits 0, 1, 2 … at a fixed period, without an end.
    ///
    /// Deadlines are absolute, so nothing drifts. The clock starts at the first request of each subscription. Ticks that
    /// nobody has asked for, or that a late clock brings together, merge into the newest: at most one waits, its number shows
    /// the gap, and `skipped` counts the others once it goes out. Cancel withdraws the timer. O(1) for each tick.
    ///
    /// - Parameters:
    ///   - period: from tick to tick; below a microsecond counts as one.
    ///   - delay: from the first request to tick 0; nil is one period.
    ///   - scheduler: measures the period and runs the delivery.
    ///   - skipped: counts merged ticks, of all subscriptions.
    @inlinable
    public static func interval<S: Scheduler>(
        _ period: Duration, after delay: Duration? = nil, on scheduler: S = .continuous, skipped: DropCounter? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable {
        Observable(source: Stage("interval", nil, Int.self, file, line)) {
            Subscription(TickSource($0, scheduler, first: delay ?? period, period: period, skipped: skipped))
        }
    }

    /// Emits 0 once the time has passed, then finishes; both at one instant.
    ///
    /// The clock starts at the first request. Cancel withdraws the timer. O(1).
    ///
    /// - Parameters:
    ///   - delay: zero or less waits for the scheduler's next turn.
    ///   - scheduler: measures the time and runs the delivery.
    @inlinable
    public static func timer<S: Scheduler>(
        _ delay: Duration, on scheduler: S = .continuous, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable {
        Observable(source: Stage("timer", nil, Int.self, file, line)) {
            Subscription(TickSource($0, scheduler, first: delay, period: nil, skipped: nil))
        }
    }
}

extension Observable {
    /// Finishes at that moment, or at once where it has passed when this is attached.
    @inlinable static func pause<S: Scheduler>(until moment: S.Instant, on scheduler: S) -> Observable {
        Observable(depth: 3) { down in
            let left = scheduler.now.duration(to: moment)
            let timer = Observable<Int, Never>.timer(left, on: scheduler).compactMap { _ in Element?.none }
            return (left > .zero ? timer.setFailureType(to: Failure.self) : .empty()).attach(down)
        }
    }
}

/// A clock's ticks. Timer and requests come from different threads, so they go through the serialiser.
@usableFromInline final class TickSource<S: Scheduler>: Engine {
    @usableFromInline let serial = Serial<Void>()
    @usableFromInline let requested = Requested()
    @usableFromInline let out: Outlet<Int, Never>
    @usableFromInline let scheduler: S
    @usableFromInline let first: Duration
    @usableFromInline let period: Duration?
    @usableFromInline let skipped: DropCounter?
    // The emitter's own.
    @exclusivity(unchecked) @usableFromInline var tick = 0
    @exclusivity(unchecked) @usableFromInline var deadline: S.Instant?
    @exclusivity(unchecked) @usableFromInline var isDue = false
    @exclusivity(unchecked) @usableFromInline var waiting: ScheduledWork?
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable init(
        _ down: Observer<Int, Never>, _ scheduler: S, first: Duration, period: Duration?, skipped: DropCounter?
    ) {
        out = Outlet(down)
        self.scheduler = scheduler
        self.first = max(first, .zero)
        self.period = period.map { max($0.reachable, .microseconds(1)) }
        self.skipped = skipped
    }
    @inlinable func request(_ demand: Demand) {
        if requested.grow(demand) && serial.poke() { drain() }
    }
    @inlinable func cancel() { if requested.end() && serial.poke() { drain() } }
    @inlinable func drain() { serial.drain({ isDue = true }, settle: { settle() }) }

    @inlinable func settle() {
        if isOver { return }
        if requested.isOver { return close() }
        guard let deadline else { return wait(until: scheduler.deadline(after: first)) }
        // No timer runs while a tick waits for demand: what has merged with it is told by the clock then.
        guard isDue, emitted < requested.synced else { return }
        isDue = false
        guard let period else { return emit(then: nil) }
        let late = deadline.duration(to: scheduler.now).attoseconds / period.attoseconds
        let merged = max(0, Int(clamping: late))
        if merged > 0 { skipped?.add(merged) }
        tick += merged
        emit(then: deadline.advanced(by: period * (merged + 1)))
    }
    @inlinable func emit(then next: S.Instant?) {
        if out.next(tick) && requested.now != .max { emitted &+= 1 }
        if requested.isOver { return close() }
        tick += 1
        if let next { return wait(until: next) }
        if requested.end() { out.done(.finished) }
        close()
    }
    @inlinable func wait(until deadline: S.Instant) {
        self.deadline = deadline
        waiting = scheduler.schedule(self, at: deadline) { if $0.serial.post(()) { $0.drain() } }
    }
    @inlinable func close() {
        isOver = true
        waiting?.cancel()
        waiting = nil
        out.drop()
    }
}
