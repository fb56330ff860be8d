import Synchronization

// Deep chains. A stage costs 80 to 128 bytes of stack in attach, in next and in release. Every `Segment.length` stages
// an operator puts a segment between: it attaches upstream at the first request, hands calls up and signals down through
// a trampoline of the thread, and gives what it holds to the trampoline to release. So no recursion is longer than one
// segment.
//
// Chains grow while they run, too: the closure of a `flatMap` or a `catch` makes a stream with a `flatMap` in it, and so on.
// There the scope of the attach counts the stages, and `nest` puts the segment.

@usableFromInline enum Segment {
    /// Stages between two segments.
    @inlinable static var length: Int { 200 }
    /// The same where chains grow while they run: their frames alternate between up and down, which takes more stack.
    @inlinable static var nestedLength: Int { 100 }
    /// For how many stages an operator with an engine of its own counts.
    @inlinable static var engine: Int { 10 }

    /// A segment over `attach`, as an attach of its own.
    @inlinable static func wrap<Element: Sendable, Failure: Error>(
        _ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription
    ) -> @Sendable (Observer<Element, Failure>) -> Subscription {
        let link = Link(attach)
        return { Subscription(Head(link, $0)) }
    }

    /// Holds the stages above a segment.
    @usableFromInline final class Link<Element: Sendable, Failure: Error>: @unchecked Sendable {
        @usableFromInline var attach: (@Sendable (Observer<Element, Failure>) -> Subscription)?
        @inlinable init(_ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription) {
            self.attach = attach
        }
        deinit {
            let trampoline = Trampoline.current
            trampoline.hold(attach as Any)
            attach = nil
            trampoline.bury()
        }
    }

    /// What downstream holds: attaches upstream at the first request.
    @usableFromInline final class Head<Element: Sendable, Failure: Error>: Engine {
        @usableFromInline struct State {
            @usableFromInline var up: Subscription?
            @usableFromInline var fresh: Observer<Element, Failure>?
            @usableFromInline var cancelled = false
            /// Asked for by another thread while upstream is being attached.
            @usableFromInline var owed = 0
            @inlinable init(_ observer: Observer<Element, Failure>) { fresh = observer }
        }
        @usableFromInline let link: Link<Element, Failure>
        @usableFromInline let stop = Stop()
        @usableFromInline let scope: Trace.Scope
        @usableFromInline let state: Lock<State>

        @inlinable init(_ link: Link<Element, Failure>, _ observer: Observer<Element, Failure>) {
            self.link = link
            let current = Trace.Scope.current
            scope = Trace.Scope(node: current.node, nesting: 0, card: current.card)
            state = Lock(State(observer))
        }
        deinit {
            let trampoline = Trampoline.current
            let held = state.withLock { state in
                let held: [Any] = [state.up as Any, state.fresh as Any]
                state.up = nil
                state.fresh = nil
                return held
            }
            for object in held { trampoline.hold(object) }
            trampoline.bury()
        }
        @inlinable func request(_ demand: Demand) {
            let trampoline = Trampoline.current
            if trampoline.climbing {
                trampoline.calls.append(.init { self.ask(demand) })
            } else {
                trampoline.climb { ask(demand) }
            }
        }
        @inlinable func ask(_ demand: Demand) {
            let (fresh, known) = state.withLock { state in
                let answer = (state.fresh, state.up)
                state.fresh = nil
                if answer.0 == nil && answer.1 == nil { state.owed = saturating(state.owed, demand.count) }
                return answer
            }
            guard let down = fresh, let attach = link.attach else {
                known?.request(demand)
                return
            }
            let tail = Tail(down, stop)
            let up = scope.run { attach(Observer(next: { tail.next($0) }, done: { tail.done($0) })) }
            tail.up = up
            let (cancelled, owed) = state.withLock { state in
                if !state.cancelled { state.up = up }
                return (state.cancelled, state.owed)
            }
            if cancelled { up.cancel() } else { up.request(Demand(saturating(demand.count, owed))) }
        }
        @inlinable func cancel() {
            stop.flag.raise()
            let (up, fresh) = state.withLock { state in
                let answer = (state.up, state.fresh)
                state.up = nil
                state.fresh = nil
                state.cancelled = true
                return answer
            }
            if let up {
                let trampoline = Trampoline.current
                if trampoline.climbing {
                    trampoline.calls.append(.init { up.cancel() })
                } else {
                    trampoline.climb { up.cancel() }
                }
            }
            _ = fresh
        }
    }

    @usableFromInline final class Stop: Sendable {
        @usableFromInline let flag = Flag()
        @inlinable init() {}
    }

    /// What upstream holds: hands on through the trampoline.
    ///
    /// A signal that waits on one thread's trampoline must not be overtaken by the next one on another thread, so the
    /// tail serialises: while one waits, later ones queue behind it.
    @usableFromInline final class Tail<Element: Sendable, Failure: Error> {
        @usableFromInline enum Signal {
            case next(Element)
            case done(Completion<Failure>)
        }
        @usableFromInline let serial = Serial<Signal>()
        @usableFromInline var down: Observer<Element, Failure>?
        @usableFromInline var up: Subscription?
        @usableFromInline let stop: Stop

        @inlinable init(_ down: Observer<Element, Failure>, _ stop: Stop) {
            self.down = down
            self.stop = stop
        }
        deinit {
            let trampoline = Trampoline.current
            trampoline.hold(up as Any)
            up = nil
            trampoline.hold(down as Any)
            down = nil
            trampoline.bury()
        }
        @inlinable func next(_ element: Element) -> Bool {
            let trampoline = Trampoline.current
            guard !trampoline.bouncing, serial.enter() else {
                wait(.next(element), trampoline)
                return true
            }
            let outer = trampoline.begin()
            let used = down?.next(element) ?? true
            if !serial.leave() { drain() }
            trampoline.drain(outer)
            return used
        }
        @inlinable func done(_ completion: Completion<Failure>) {
            let trampoline = Trampoline.current
            guard !trampoline.bouncing, serial.enter() else { return wait(.done(completion), trampoline) }
            let outer = trampoline.begin()
            down?.done(completion)
            if !serial.leave() { drain() }
            trampoline.drain(outer)
        }
        /// Leaves a signal to whoever is delivering, or to the trampoline of this thread.
        @inlinable @inline(never) func wait(_ signal: Signal, _ trampoline: Trampoline) {
            guard serial.post(signal) else { return }
            trampoline.queue.append(.init { self.drain() })
            if !trampoline.bouncing { trampoline.drain(trampoline.begin()) }
        }
        @inlinable @inline(never) func drain() { serial.drain({ deliver($0) }, settle: {}) }
        @inlinable func deliver(_ signal: Signal) {
            if stop.flag.isUp { return }
            switch signal {
            // The answer comes too late for the caller: a refused element is asked for again instead.
            case .next(let element): if down?.next(element) == false { up?.request(1) }
            case .done(let completion): down?.done(completion)
            }
        }
    }
}

extension Trace.Scope {
    /// Attaches a stream that was made while the chain of this scope runs, behind a segment where they get too deep.
    @inlinable func nest<Element: Sendable, Failure: Error>(
        _ stream: Observable<Element, Failure>, _ observer: Observer<Element, Failure>
    ) -> Subscription {
        let deeper = nesting &+ stream.depth
        if deeper >= Segment.nestedLength { return run { Segment.wrap(stream.attach)(observer) } }
        // In a source, and above a segment, nothing counts on.
        if stream.depth == 0 && node == nil && card == nil { return stream.attach(observer) }
        return Trace.Scope(node: node, nesting: deeper, card: card).run { stream.attach(observer) }
    }
}

/// A thread's own queues of deliveries, of calls up the chain and of objects to release, so that none of them recurses.
@usableFromInline final class Trampoline {
    static let slot = ThreadSlot { Trampoline() }
    @usableFromInline static var current: Trampoline { slot.current }

    @usableFromInline struct Work {
        @usableFromInline let run: () -> Void
        @inlinable init(_ run: @escaping () -> Void) { self.run = run }
    }
    @exclusivity(unchecked) @usableFromInline var bouncing = false
    @exclusivity(unchecked) @usableFromInline var queue = Ring<Work>()
    @exclusivity(unchecked) var burying = false
    @exclusivity(unchecked) var dead: [Any] = []

    /// A segment's call up the chain runs, and nothing is being delivered inside it.
    @exclusivity(unchecked) @usableFromInline var climbing = false
    /// The calls that wait, the next one last, and from `floor` on those that the running one has led to, in their order.
    @exclusivity(unchecked) @usableFromInline var calls: ContiguousArray<Work> = []
    @exclusivity(unchecked) @usableFromInline var floor = 0

    /// Asks one upstream of several. Where one before it waits for its turn up the chain, this one waits behind it: they
    /// start in their order, however deep each is.
    @inlinable static func ask(_ up: Subscription, _ demand: Demand) {
        let trampoline = current
        if trampoline.climbing && trampoline.calls.count > trampoline.floor {
            trampoline.calls.append(.init { up.request(demand) })
        } else {
            up.request(demand)
        }
    }

    /// Begins a delivery. What is called from inside it does not wait for the call up that it happens in: that may be
    /// endless. Answers what to give back to `drain`.
    @inlinable func begin() -> Bool {
        bouncing = true
        let outer = climbing
        climbing = false
        return outer
    }
    @usableFromInline func drain(_ outer: Bool) {
        while let work = queue.popFirst() { work.run() }
        bouncing = false
        climbing = outer
    }
    /// Runs a call up the chain, then those that it led to, each with what it leads to itself before the next.
    @inlinable func climb(_ call: () -> Void) {
        climbing = true
        let outer = floor
        floor = calls.count
        call()
        finishClimb(floor)
        floor = outer
        climbing = false
    }
    @usableFromInline func finishClimb(_ bottom: Int) {
        turn(from: bottom)
        while calls.count > bottom, let call = calls.popLast() {
            floor = calls.count
            call.run()
            turn(from: floor)
        }
    }
    private func turn(from start: Int) { if calls.count - start > 1 { calls[start...].reverse() } }
    /// Keeps one more reference; the caller drops its own, then calls `bury`.
    @usableFromInline func hold(_ object: Any) { dead.append(object) }

    /// Not inlined: what is popped must not be released while the array changes, since its deinit comes back to `hold`.
    @inline(never) func pop() -> Any? { dead.popLast() }

    @usableFromInline func bury() {
        if burying { return }
        burying = true
        while let object = pop() { _ = object }
        burying = false
    }
}
