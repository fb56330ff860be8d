/// What operators with a clock share: one upstream, timers, one serialiser over both, a queue where demand is short.
///
/// An operator says what it does with an element, with the end, and at a timer; all of that runs one at a time. Elements
/// go out through `emit`, which queues them until downstream asks. Upstream is asked for everything.
@usableFromInline final class TimedEngine<Input: Sendable, Output: Sendable, Failure: Error>: Engine {
    @usableFromInline enum Item {
        case next(Input)
        case done(Completion<Failure>)
        case lost
        /// A timer, with the number it was set under.
        case timer(Int)
    }
    @usableFromInline struct Rules {
        @usableFromInline let next: (TimedEngine, Input) -> Void
        @usableFromInline let done: (TimedEngine, Completion<Failure>) -> Void
        @usableFromInline let timer: (TimedEngine, Int) -> Void
        @inlinable init(
            next: @escaping (TimedEngine, Input) -> Void,
            done: @escaping (TimedEngine, Completion<Failure>) -> Void,
            timer: @escaping (TimedEngine, Int) -> Void
        ) {
            self.next = next
            self.done = done
            self.timer = timer
        }
    }
    @usableFromInline let serial = Serial<Item>()
    @usableFromInline let requested = Requested()
    @usableFromInline let out: Outlet<Output, Failure>
    @usableFromInline let scope: Trace.Scope
    @usableFromInline let source: Observable<Input, Failure>
    // The emitter's own.
    @exclusivity(unchecked) @usableFromInline var rules: Rules?
    @exclusivity(unchecked) @usableFromInline var up: Subscription?
    @exclusivity(unchecked) @usableFromInline var hasBegun = false
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    @exclusivity(unchecked) @usableFromInline var queue = Ring<Output>()
    @exclusivity(unchecked) @usableFromInline var end: Completion<Failure>?
    @exclusivity(unchecked) @usableFromInline var isLost = false
    @exclusivity(unchecked) @usableFromInline var over = false
    @exclusivity(unchecked) @usableFromInline var waiting: ScheduledWork?
    /// The number of the timer that is set; an older one that still fires is ignored.
    @exclusivity(unchecked) @usableFromInline var timer = 0

    @inlinable init(_ down: Observer<Output, Failure>, _ source: Observable<Input, Failure>, _ rules: Rules) {
        out = Outlet(down)
        self.source = source
        self.rules = rules
        scope = Trace.Scope.current
    }
    @inlinable func request(_ demand: Demand) {
        if requested.grow(demand) && serial.poke() { drain() }
    }
    @inlinable func cancel() { if requested.end() && serial.poke() { drain() } }

    @inlinable func signal(_ item: Item) { if serial.post(item) { drain() } }
    @inlinable @inline(never) func drain() { serial.drain({ run($0) }, settle: { settle() }) }

    @inlinable func run(_ item: Item) {
        guard !over, let rules else { return }
        switch item {
        case .next(let element): rules.next(self, element)
        case .done(let completion):
            up = nil
            rules.done(self, completion)
        case .lost:
            up = nil
            isLost = true
        case .timer(let number):
            guard number == timer else { return }
            waiting = nil
            rules.timer(self, number)
        }
    }
    @inlinable func settle() {
        if over { return }
        if requested.isOver { return close { out.drop() } }
        if !hasBegun {
            hasBegun = true
            open()
        }
        flush()
        if !over && isLost && queue.isEmpty && waiting == nil && end == nil {
            _ = requested.end()
            close { out.drop() }
        }
    }
    @inlinable func open() {
        let observer = Observer<Input, Failure>(
            next: {
                self.signal(.next($0))
                return true
            }, end: { self.signal(.done($0)) }, lost: { self.signal(.lost) })
        let subscription = scope.run { source.attach(observer) }
        up = subscription
        // What it signals meanwhile is posted: the emitter is here.
        subscription.request(.unbounded)
    }
    @inlinable func flush() {
        while !over && emitted < requested.synced, let element = queue.popFirst() {
            if out.next(element) && requested.now != .max { emitted &+= 1 }
        }
        if requested.isOver { return close { out.drop() } }
        if queue.isEmpty, let end { finish(end) }
    }

    /// Hands an element on, or keeps it until downstream asks.
    @inlinable func emit(_ element: Output) { queue.append(element) }
    /// Ends the stream after what is queued.
    @inlinable func complete(_ completion: Completion<Failure>) { end = completion }
    /// Ends the stream now.
    @inlinable func finish(_ completion: Completion<Failure>) {
        if over { return }
        let isAlive = requested.end()
        close {
            if isAlive { out.done(completion) }
            out.drop()
        }
    }
    /// Sets the one timer, in place of the one before.
    @inlinable func wake<S: Scheduler>(at deadline: S.Instant, on scheduler: S) {
        stopTimer()
        let number = timer
        waiting = scheduler.schedule(self, at: deadline) { $0.signal(.timer(number)) }
    }
    @inlinable func stopTimer() {
        timer &+= 1
        waiting?.cancel()
        waiting = nil
    }
    @inlinable func close(_ last: () -> Void) {
        if over { return }
        over = true
        stopTimer()
        let upstream = up
        let unsent = queue
        up = nil
        queue = Ring()
        upstream?.cancel()
        last()
        rules = nil
        _ = unsent
    }
}
