import Observation

/// A closure that belongs to an actor, and is run there and nowhere else: that is why it may cross unchecked.
@usableFromInline final class ActorReader<Element: Sendable>: @unchecked Sendable {
    let actor: any Actor
    let read: () -> Element

    @usableFromInline init(_ actor: any Actor, _ read: @escaping () -> Element) {
        self.actor = actor
        self.read = read
    }
}

/// The engine of `Observable(tracking:)`: a turn on the actor reads, watches and emits. Turns come one after the other, as
/// the actor gives them; a change only asks for a turn, so all changes of one job of the actor are one. What several threads
/// touch is locked: that is why it may cross them unchecked.
@usableFromInline final class TrackingSource<Element: Sendable>: Engine, @unchecked Sendable {
    private struct State {
        var reader: ActorReader<Element>?
        /// Swift Observation holds it: when that lets go, all that was read is gone.
        weak var watch: ChangeWatch?
        /// Something has changed since the last value, or there was none yet.
        var isStale = true
        /// A turn is on its way.
        var isWaiting = false
    }
    private let state: Lock<State>
    private let requested = Requested()
    private let custody: Custody<Element, Never>

    @usableFromInline init(_ down: Observer<Element, Never>, _ reader: ActorReader<Element>) {
        custody = Custody(down)
        state = Lock(State(reader: reader))
    }
    @usableFromInline func request(_ demand: Demand) {
        if requested.grow(demand) { askForATurn() }
    }
    @usableFromInline func cancel() {
        _ = requested.end()
        custody.drop()
        release()?.close()
    }
    /// Frees the closure; answers what still waits for a change.
    @discardableResult private func release() -> ChangeWatch? {
        let (reader, watch) = state.withLock { state in
            let dropped = (state.reader, state.watch)
            state.reader = nil
            state.watch = nil
            return dropped
        }
        _ = reader
        return watch
    }

    private func changed() {
        state.withLock { $0.isStale = true }
        askForATurn()
    }
    private func askForATurn() {
        let reader = state.withLock { state -> ActorReader<Element>? in
            if state.isWaiting || !state.isStale { return nil }
            state.isWaiting = state.reader != nil
            return state.reader
        }
        guard let reader else { return }
        Task { await turn(on: reader.actor) }
    }
    private func turn(on actor: isolated any Actor) {
        let reader = state.withLock { state -> ActorReader<Element>? in
            state.isWaiting = false
            // Read in here: a request that finds a turn on its way has added its demand before.
            guard requested.synced > 0, state.isStale else { return nil }
            state.isStale = false
            return state.reader
        }
        guard let reader else { return }
        let watch = ChangeWatch { self.changed() }
        var isWatching = false
        // Asked for only where something observable was read.
        func change() -> @Sendable () -> Void {
            isWatching = true
            return { watch.fire() }
        }
        let isAlive = state.withLock { state in
            state.watch = watch
            return state.reader != nil
        }
        let value = withObservationTracking(reader.read, onChange: change())
        if !isAlive || custody.isGone { return watch.close() }
        if !isWatching { watch.close() }
        guard let used = custody.next(value) else { return }
        if used { _ = requested.spend(1) }
        if isWatching { return }
        _ = requested.end()
        release()
        custody.done(.finished)
    }
}

/// Says once that something has changed, or that all that was watched is gone: then Swift Observation lets go of it.
private final class ChangeWatch: Sendable {
    private let word: PendingWork

    init(_ word: @escaping @Sendable () -> Void) { self.word = PendingWork(word) }
    deinit { fire() }

    func fire() { word.run() }
    func close() { word.withdraw() }
}
