/// What is closed in order: it refuses new work, waits for what is under way, and cuts that when its time is over.
///
/// Who takes work enters and leaves. The gate knows how to cut each piece and nothing else about it. The lock decides; what
/// cuts, and who waits for the end, is called outside.
@usableFromInline package final class WorkGate: Sendable {
    /// A piece of work that has entered.
    @usableFromInline package struct Pass: Sendable {
        fileprivate let number: Int
    }

    private enum Phase {
        case open
        /// New work is refused, except what is a part of work under way.
        case draining
        case cut
    }

    private struct State {
        var phase = Phase.open
        var numbers = 0
        /// How to cut what is under way.
        var underWay: [Int: @Sendable () -> Void] = [:]
        var waiting: [@Sendable () -> Void] = []
        var deadlines: [ScheduledWork] = []
        var isOver: Bool { if case .open = phase { false } else { underWay.isEmpty } }
    }

    private let state = Lock(State())
    /// Read at each hit of a cache, so without the lock.
    @usableFromInline let closing = Flag()

    @usableFromInline package init() {}

    /// Whether new work is taken.
    @inlinable package var isOpen: Bool { !closing.isUp }

    /// Whether the time of what was under way is over.
    package var isCut: Bool { state.withLock { if case .cut = $0.phase { true } else { false } } }

    /// Begins a piece of work, or answers nil where it is refused.
    ///
    /// - Parameters:
    ///   - isPart: whether work under way waits for it; then it is taken until the cut.
    ///   - cut: ends the work, which then leaves; called once at most.
    @usableFromInline package func enter(isPart: Bool = false, cut: @escaping @Sendable () -> Void) -> Pass? {
        state.withLock { state in
            switch state.phase {
            case .open: break
            case .draining: if !isPart { return nil }
            case .cut: return nil
            }
            state.numbers += 1
            state.underWay[state.numbers] = cut
            return Pass(number: state.numbers)
        }
    }

    /// Ends a piece of work; a second call does nothing.
    @usableFromInline package func leave(_ pass: Pass) {
        let (work, due) = state.withLock { state in
            (state.underWay.removeValue(forKey: pass.number), Self.due(&state))
        }
        withExtendedLifetime(work) { Self.tell(due) }
    }

    /// Takes no new work, and calls `done` when what is under way has left. Of several calls the earliest time counts.
    ///
    /// - Parameter time: after it what is still under way is cut; zero or less cuts it now.
    package func close(within time: Duration, on scheduler: some Scheduler, _ done: @escaping @Sendable () -> Void) {
        closing.raise()
        let isOver = state.withLock { state in
            if case .open = state.phase { state.phase = .draining }
            if !state.isOver { state.waiting.append(done) }
            return state.isOver
        }
        if isOver { return done() }
        guard time > .zero else { return cut() }
        let deadline = scheduler.schedule(after: time) { [weak self] in self?.cut() }
        let isLate = state.withLock { state in
            if !state.isOver { state.deadlines.append(deadline) }
            return state.isOver
        }
        if isLate { deadline.cancel() }
    }

    /// The same, awaited. Cancelling the task cuts at once.
    package func close(within time: Duration, on scheduler: some Scheduler) async {
        await untilClosed(within: time) { time, done in self.close(within: time, on: scheduler, done) }
    }

    private func cut() {
        let (cuts, due) = state.withLock { state in
            state.phase = .cut
            let cuts = state.underWay
            for number in cuts.keys { state.underWay[number] = {} }
            return (cuts, Self.due(&state))
        }
        for (_, cut) in cuts.sorted(by: { $0.key < $1.key }) { cut() }
        Self.tell(due)
    }

    private static func due(_ state: inout State) -> (waiting: [@Sendable () -> Void], deadlines: [ScheduledWork]) {
        guard state.isOver else { return ([], []) }
        defer { (state.waiting, state.deadlines) = ([], []) }
        return (state.waiting, state.deadlines)
    }

    private static func tell(_ due: (waiting: [@Sendable () -> Void], deadlines: [ScheduledWork])) {
        for deadline in due.deadlines { deadline.cancel() }
        for done in due.waiting { done() }
    }
}

/// Waits for a close that tells its end by a closure. Cancelling the task closes within no time.
package func untilClosed(
    within time: Duration, _ close: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
) async {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            close(time) { continuation.resume() }
        }
    } onCancel: {
        close(.zero) {}
    }
}
