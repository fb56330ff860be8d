/// The time limits of the handlers that run, with one timer for all of them.
///
/// A timer that is withdrawn may stay in the system until its time: one for each request would pile up, a kilobyte each.
/// This sets a timer for the nearest limit, and lets it stand when that limit is kept: it then looks for the next one.
protocol TimeLimits: Sendable {
    /// A limit that begins now.
    func begin(_ limit: Duration) -> TimeLimit
    /// The limit was kept.
    func end(_ number: Int)
}

/// One limit, from its beginning on.
struct TimeLimit: Sendable {
    let number: Int
    fileprivate let cut: BehaviorSubject<Bool, Never>

    /// Emits once the time is over.
    var isOver: Observable<Void, Never> { cut.observable.filter { $0 }.map { _ in }.prefix(1) }
}

final class SchedulerLimits<S: Scheduler>: TimeLimits {
    private struct Timer {
        let number: Int
        let due: S.Instant
        /// nil while it is being set.
        var work: ScheduledWork?
    }

    private struct State {
        var numbers = 0
        var running: [Int: (due: S.Instant, limit: TimeLimit)] = [:]
        var timer: Timer?
        /// When the withdrawn timers would have been due.
        var withdrawn: [S.Instant] = []
    }

    private let scheduler: S
    private let state = Lock(State())
    /// So many timers are withdrawn as soon as nothing runs; from then on the last one stands until its time.
    private static var mostWithdrawn: Int { 100 }

    init(_ scheduler: S) { self.scheduler = scheduler }
    deinit { state.withLock { $0.timer?.work }?.cancel() }

    func begin(_ limit: Duration) -> TimeLimit {
        let due = scheduler.now.advanced(by: limit.reachable)
        let cut = BehaviorSubject<Bool, Never>(false)
        let (limit, timer, old) = state.withLock { state in
            state.numbers += 1
            let limit = TimeLimit(number: state.numbers, cut: cut)
            state.running[limit.number] = (due, limit)
            if let timer = state.timer, timer.due <= due { return (limit, Timer?.none, Timer?.none) }
            let old = state.timer
            return (limit, Self.nextTimer(&state), old)
        }
        old?.work?.cancel()
        if let timer { set(timer) }
        return limit
    }

    func end(_ number: Int) {
        let now = scheduler.now
        let timer = state.withLock { state -> Timer? in
            state.running[number] = nil
            guard state.running.isEmpty, let timer = state.timer, timer.work != nil else { return nil }
            if state.withdrawn.count >= Self.mostWithdrawn { state.withdrawn.removeAll { $0 <= now } }
            guard state.withdrawn.count < Self.mostWithdrawn else { return nil }
            state.withdrawn.append(timer.due)
            state.timer = nil
            return timer
        }
        timer?.work?.cancel()
    }

    /// Makes the timer for the nearest limit, to be set when the lock is open.
    ///
    /// - Complexity: O(handlers that run).
    private static func nextTimer(_ state: inout State) -> Timer? {
        state.timer = nil
        guard let due = state.running.values.map(\.due).min() else { return nil }
        state.numbers += 1
        let timer = Timer(number: state.numbers, due: due)
        state.timer = timer
        return timer
    }

    private func set(_ timer: Timer) {
        let work = scheduler.schedule(at: timer.due) { [weak self] in self?.fire(timer) }
        let isWanted = state.withLock { state in
            guard state.timer?.number == timer.number else { return false }
            state.timer?.work = work
            return true
        }
        if !isWanted { work.cancel() }
    }

    private func fire(_ timer: Timer) {
        // It is due, also where the scheduler does not wait for deadlines.
        let now = max(scheduler.now, timer.due)
        let (over, next) = state.withLock { state in
            guard state.timer?.number == timer.number else { return ([TimeLimit](), Timer?.none) }
            let over = state.running.values.filter { $0.due <= now }.map(\.limit).sorted { $0.number < $1.number }
            for limit in over { state.running[limit.number] = nil }
            return (over, Self.nextTimer(&state))
        }
        for limit in over { limit.cut.send(true) }
        if let next { set(next) }
    }
}
