/// Signals on their way to an actor: one drain at a time, so they arrive in order.
///
/// `life` ends when the end is delivered, not when upstream says it: who drops what is finished does not drop letters
/// that are still on their way.
@usableFromInline final class Inbox<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline enum Letter: Sendable {
        case next(Element)
        case done(Completion<Failure>)
        /// The stream has let go without an end.
        case lost
    }
    @usableFromInline struct State {
        @usableFromInline var letters: ContiguousArray<Letter> = []
        @usableFromInline var isDraining = false
        @usableFromInline var isClosed = false
        @inlinable init() {}
    }
    @usableFromInline let state = Lock(State())
    @usableFromInline let life = SubscriptionToken.Life()
    @inlinable init() {}

    /// Leaves a letter. `true`: the caller starts a drain.
    @inlinable func put(_ letter: Letter) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.letters.append(letter)
            let starts = !state.isDraining
            state.isDraining = true
            return starts
        }
    }
    /// What has come; nil ends the drain.
    @inlinable func take() -> ContiguousArray<Letter>? {
        state.withLock { state in
            if state.letters.isEmpty || state.isClosed {
                state.isDraining = false
                return nil
            }
            let letters = state.letters
            state.letters = []
            return letters
        }
    }
    /// Nothing is delivered any more.
    @inlinable func close() {
        let dropped = state.withLock { state in
            let dropped = state.letters
            state.letters = []
            state.isClosed = true
            return dropped
        }
        _ = dropped
    }
    @inlinable var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Runs the handlers for all letters, on the actor that they belong to. After `close` on that actor none runs.
    @inlinable func drain(_ next: (Element) -> Void, _ done: (Completion<Failure>) -> Void) {
        while let letters = take() {
            for letter in letters {
                if isClosed { return }
                switch letter {
                case .next(let element): next(element)
                case .done(let completion):
                    life.finished.raise()
                    done(completion)
                case .lost: life.finished.raise()
                }
            }
        }
    }
}

/// Handlers that belong to an actor, carried there and nowhere else: that is why they may cross unchecked.
@usableFromInline final class ActorHandlers<Element: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline let actor: any Actor
    @usableFromInline let inbox = Inbox<Element, Failure>()
    @usableFromInline let next: (Element) -> Void
    @usableFromInline let done: (Completion<Failure>) -> Void

    @inlinable init(
        _ actor: any Actor, next: @escaping (Element) -> Void, done: @escaping (Completion<Failure>) -> Void
    ) {
        self.actor = actor
        self.next = next
        self.done = done
    }
    @inlinable func deliver(_ letter: Inbox<Element, Failure>.Letter) {
        guard inbox.put(letter) else { return }
        Task { await self.run(on: self.actor) }
    }
    @inlinable func run(on actor: isolated any Actor) { inbox.drain(next, done) }
}

/// Whether an object still lives, asked from any thread.
@usableFromInline struct WeakOwner: @unchecked Sendable {
    @usableFromInline weak let object: AnyObject?
    @inlinable init(_ object: AnyObject) { self.object = object }
    @inlinable var isAlive: Bool { object != nil }
}
