/// A task that is started once and may be cancelled from anywhere, also before it starts.
@usableFromInline struct TaskHandle: ~Copyable, Sendable {
    @usableFromInline enum State {
        case fresh
        case running(Task<Void, Never>?)
        case cancelled
    }
    @usableFromInline let state = Lock<State>(.fresh)
    @inlinable init() {}

    /// The first call starts `work` on the engine; it inherits the caller's task-locals and priority.
    @inlinable borrowing func start<E: Engine>(_ engine: E, _ work: @escaping @Sendable (E) async -> Void) {
        let isFirst = state.withLock { state in
            guard case .fresh = state else { return false }
            state = .running(nil)
            return true
        }
        guard isFirst else { return }
        // The engine's members that the task touches are behind locks.
        nonisolated(unsafe) let engine = engine
        let task = Task { await work(engine) }
        let isCancelled = state.withLock { state in
            if case .running = state {
                state = .running(task)
                return false
            }
            return true
        }
        if isCancelled { task.cancel() }
    }
    @inlinable borrowing func cancel() {
        let task = state.withLock { state in
            let old = state
            state = .cancelled
            if case .running(let task) = old { return task }
            return nil
        }
        task?.cancel()
    }
}
