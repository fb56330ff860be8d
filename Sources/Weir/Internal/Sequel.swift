/// One upstream after another, under `catch`, `concat`, `repeat` and `retry`. What one leaves of the demand goes to the next.
///
/// Constant stack: an upstream that ends inside its own request is followed by the loop below it. Elements go straight
/// through, since only one upstream is live. It does not serialise, so it may not drop the observer while an upstream is
/// live: the live upstream's closures hold it. Between two, and before the first, the state does.
@usableFromInline final class Sequel<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline typealias Down = Box<Element, Failure>

    /// What follows an upstream's end.
    @usableFromInline enum Step {
        case more(Observable<Element, Failure>)
        case end(Completion<Failure>)
    }
    @usableFromInline enum Upcoming {
        case first((Sequel, Down) -> Subscription)
        case more(Observable<Element, Failure>)
    }

    @usableFromInline struct State {
        /// Asked for by downstream and not yet known to be used.
        @usableFromInline var outstanding = 0
        @usableFromInline var up: Subscription?
        /// Here only while no upstream is live.
        @usableFromInline var down: Down?
        @usableFromInline var isOver = false
        @usableFromInline var hasBegun = false
        @inlinable init(_ down: Down) { self.down = down }
    }
    @usableFromInline let state: Lock<State>
    @usableFromInline let scope: Trace.Scope
    @usableFromInline let serial = Serial<Never>()
    /// What follows each upstream after the first.
    @usableFromInline let step: (Completion<Failure>) -> Step
    /// What follows is made while this stream runs; else it was counted when the chain was built.
    @usableFromInline let nests: Bool
    // Of whoever runs the chain: the live upstream, then the loop.
    @exclusivity(unchecked) @usableFromInline var used = 0
    @exclusivity(unchecked) @usableFromInline var upcoming: Upcoming?

    /// All upstreams follow one rule.
    @inlinable init(
        _ down: Observer<Element, Failure>, _ first: Observable<Element, Failure>,
        step: @escaping (Completion<Failure>) -> Step
    ) {
        state = Lock(State(Box(down)))
        scope = Trace.Scope.current
        self.step = step
        nests = false
        upcoming = .more(first)
    }
    /// The first upstream has a failure of its own; the end of what follows it passes through.
    @inlinable init<UpFailure: Error>(
        _ down: Observer<Element, Failure>, _ first: Observable<Element, UpFailure>,
        then: @escaping (Completion<UpFailure>) -> Step
    ) {
        state = Lock(State(Box(down)))
        scope = Trace.Scope.current
        step = { .end($0) }
        nests = true
        upcoming = .first { engine, down in engine.link(first, down, then) }
    }
    @inlinable func link<UpFailure: Error>(
        _ up: Observable<Element, UpFailure>, nests: Bool = false, _ down: Down,
        _ step: @escaping (Completion<UpFailure>) -> Step
    ) -> Subscription {
        let observer = Observer<Element, UpFailure>(
            next: { element in
                let used = down.observer.next(element)
                if used { self.used &+= 1 }
                return used
            }, done: { self.ended(step($0), down) })
        return nests ? scope.nest(up, observer) : scope.run { up.attach(observer) }
    }
    @inlinable func request(_ demand: Demand) {
        let (begins, up) = state.withLock { state -> (Bool, Subscription?) in
            if state.isOver { return (false, nil) }
            state.outstanding = saturating(state.outstanding, demand.count)
            let begins = !state.hasBegun
            state.hasBegun = true
            return (begins, state.up)
        }
        if begins { run() } else { up?.request(demand) }
    }
    @inlinable func cancel() {
        let (up, down) = state.withLock { state in
            let answer = (state.up, state.down)
            state.up = nil
            state.down = nil
            state.isOver = true
            return answer
        }
        up?.cancel()
        _ = down
    }
    @inlinable func ended(_ step: Step, _ down: Down) {
        switch step {
        case .end(let completion):
            let (isLive, ended) = state.withLock { state in
                let answer = (!state.isOver, state.up)
                state.isOver = true
                state.up = nil
                return answer
            }
            if isLive { down.observer.done(completion) }
            _ = ended
        case .more(let stream):
            upcoming = .more(stream)
            let (isLive, ended) = state.withLock { state in
                let answer = (!state.isOver, state.up)
                state.up = nil
                if !state.isOver { state.down = down }
                return answer
            }
            if isLive { run() }
            _ = ended
        }
    }
    /// Starts what is upcoming until nothing is; a call from inside only makes the loop below go round once more.
    @inlinable func run() {
        guard serial.poke() else { return }
        repeat {
            _ = serial.absorb()
            startUpcoming()
        } while !serial.leave()
    }
    @inlinable func startUpcoming() {
        guard let next = upcoming else { return }
        upcoming = nil
        let taken = state.withLock { state in
            let down = state.down
            state.down = nil
            return down
        }
        guard let taken else { return }
        let up =
            switch next {
            case .first(let attach): attach(self, taken)
            case .more(let stream): link(stream, nests: nests, taken, step)
            }
        let spent = used
        used = 0
        let demand = state.withLock { state -> Int in
            if state.isOver { return -1 }
            if state.outstanding != .max { state.outstanding -= spent }
            state.up = up
            return state.outstanding
        }
        if demand < 0 { up.cancel() } else if demand > 0 { up.request(Demand(demand)) }
    }
}
