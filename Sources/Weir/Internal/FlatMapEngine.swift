/// The engine of merge, flatMap, concatMap and flatMapLatest: inner upstreams into one downstream.
///
/// Upstreams hold their lanes and lanes hold the engine; the engine holds no lane, only slots with what it needs of
/// them. So there is no circle: when all upstreams let go, the engine goes, and downstream with it.
@usableFromInline final class FlatMapEngine<Output: Sendable, Failure: Error>: Engine {
    @usableFromInline typealias Stream = Observable<Output, Failure>
    @usableFromInline enum Item {
        case next(Lane, Output)
        case done(slot: Int, ticket: Int, Completion<Failure>)
        case lost(slot: Int, ticket: Int)
        case outer(Stream)
        /// The closure that makes the streams has thrown; the outer upstream is still live.
        case threw(Failure)
        case outerDone(Completion<Failure>)
        case outerLost
    }
    /// What the engine keeps of an inner upstream.
    @usableFromInline struct Slot {
        @usableFromInline var ticket = 0
        @usableFromInline var isLive = false
        @usableFromInline var isReady = false
        @usableFromInline var hasEnded = false
        @usableFromInline var isBounded = false
        @usableFromInline var up: Subscription?
        @usableFromInline var buffer = Ring<Output>()
        @usableFromInline var consumed = 0
        /// Latest only: asked for and not yet come.
        @usableFromInline var asked = 0
        @inlinable init() {}
    }
    /// Elements that an inner upstream may be ahead, where downstream's demand is bounded.
    @inlinable static var prefetch: Int { 32 }

    @usableFromInline let serial = Serial<Item>()
    @usableFromInline let requested = Requested()
    @usableFromInline let out: Outlet<Output, Failure>
    @usableFromInline let maxConcurrent: Int
    @usableFromInline let isLatest: Bool
    /// The streams are made while this one runs; else they were counted when the chain was built.
    @usableFromInline let nests: Bool
    @usableFromInline let scope: Trace.Scope
    // The emitter's own.
    /// What was posted and has not run yet. A pull from inside a run may bring a signal of an upstream whose older signals
    /// wait here: it goes behind them.
    @exclusivity(unchecked) @usableFromInline var backlog = Ring<Item>()
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    @exclusivity(unchecked) @usableFromInline var delivering = false
    @exclusivity(unchecked) @usableFromInline var pullDepth = 0
    @exclusivity(unchecked) @usableFromInline var settling = false
    @exclusivity(unchecked) @usableFromInline var dirty = false
    @exclusivity(unchecked) @usableFromInline var over = false
    /// An upstream let go without an end, so the stream can stop but not finish.
    @exclusivity(unchecked) @usableFromInline var isLost = false
    @exclusivity(unchecked) @usableFromInline var begin: ((FlatMapEngine) -> Subscription)?
    @exclusivity(unchecked) @usableFromInline var outer: Subscription?
    @exclusivity(unchecked) @usableFromInline var outerEnded = false
    /// Streams that may be asked for from the outer upstream.
    @exclusivity(unchecked) @usableFromInline var credit = 0
    @exclusivity(unchecked) @usableFromInline var pending = Ring<Stream>()
    @exclusivity(unchecked) @usableFromInline var slots: ContiguousArray<Slot> = []
    @exclusivity(unchecked) @usableFromInline var free: ContiguousArray<Int> = []
    @exclusivity(unchecked) @usableFromInline var live = 0
    @exclusivity(unchecked) @usableFromInline var tickets = 0
    @exclusivity(unchecked) @usableFromInline var ready = Ring<Int>()

    /// An outer upstream gives the streams; `begin` attaches it.
    @inlinable init(
        _ down: Observer<Output, Failure>, maxConcurrent: Int, isLatest: Bool,
        begin: @escaping (FlatMapEngine) -> Subscription
    ) {
        out = Outlet(down)
        self.maxConcurrent = maxConcurrent
        self.isLatest = isLatest
        nests = true
        self.begin = begin
        credit = isLatest ? .max : maxConcurrent
        scope = Trace.Scope.current
    }
    /// The streams are known.
    @inlinable init(_ down: Observer<Output, Failure>, _ streams: [Stream]) {
        out = Outlet(down)
        maxConcurrent = .max
        isLatest = false
        nests = false
        outerEnded = true
        scope = Trace.Scope.current
        for stream in streams { pending.append(stream) }
    }

    /// The observer for the outer upstream.
    @inlinable func outerObserver<Element: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Stream
    ) -> Observer<Element, Failure> {
        return Observer(
            next: { element in
                do throws(Failure) { self.signal(.outer(try transform(element))) } catch {
                    self.signal(.threw(error))
                }
                return true
            }, end: { self.signal(.outerDone($0)) }, lost: { self.signal(.outerLost) })
    }

    @inlinable func request(_ demand: Demand) {
        if requested.grow(demand) && serial.poke() { drain() }
    }
    @inlinable func cancel() { if requested.end() && serial.poke() { drain() } }

    @inlinable func signal(_ item: Item) {
        if serial.isPulling() {
            if delivering {
                _ = serial.post(item)
                return
            }
            if isCalm { run(item) } else { _ = serial.post(item) }
            if !isCalm { nested() }
        } else if serial.enter() {
            run(item)
            if dirty { settle() }
            if !serial.leave() { drain() }
        } else if serial.post(item) {
            drain()
        }
    }
    /// Does nothing older wait?
    @inlinable @inline(__always) var isCalm: Bool { serial.isCalm() && backlog.isEmpty }

    @inlinable func runPosted() {
        _ = serial.absorb()
        for item in serial.take() { backlog.append(item) }
        while let item = backlog.popFirst() { run(item) }
    }
    @inlinable @inline(never) func drain() {
        repeat {
            runPosted()
            settle()
        } while !serial.leave()
    }
    /// The same inside a pull; the frames below keep the ownership.
    @inlinable @inline(never) func nested() {
        repeat { runPosted() } while !serial.isCalm()
        dirty = true
        if requested.isOver { teardown() }
    }
    @inlinable func run(_ item: Item) {
        if over { return }
        switch item {
        case .next(let lane, let element): deliver(lane, element)
        case .done(let slot, let ticket, let completion): ended(slot, ticket, completion)
        case .lost(let slot, let ticket):
            guard isCurrent(slot, ticket) else { return }
            isLost = true
            ended(slot, ticket, .finished)
        case .outer(let stream):
            if isLatest {
                dropLanes()
                pending.removeAll()
            }
            pending.append(stream)
            startPending()
        case .threw(let error): finish(.failed(error))
        case .outerDone(let completion):
            // An upstream that signals its end is not called any more (rule 2.3).
            outer = nil
            if case .failed = completion { return finish(completion) }
            outerEnded = true
            dirty = true
        case .outerLost:
            isLost = true
            outerEnded = true
            outer = nil
            dirty = true
        }
    }
    @inlinable func isCurrent(_ slot: Int, _ ticket: Int) -> Bool { slots[slot].isLive && slots[slot].ticket == ticket }

    @inlinable func ended(_ slot: Int, _ ticket: Int, _ completion: Completion<Failure>) {
        guard isCurrent(slot, ticket) else { return }
        slots[slot].up = nil
        if case .failed = completion { return finish(completion) }
        slots[slot].hasEnded = true
        dirty = true
        if slots[slot].buffer.isEmpty { remove(slot) }
    }
    @inlinable @inline(__always) func pull(_ request: () -> Void) {
        pullDepth &+= 1
        serial.pulling(request)
        pullDepth &-= 1
    }
    @inlinable func remove(_ slot: Int) {
        slots[slot].isLive = false
        free.append(slot)
        live &-= 1
        if !isLatest && maxConcurrent != .max { credit += 1 }
        dirty = true
    }
    @inlinable func dropLanes() {
        guard live > 0 else { return }
        for slot in 0..<slots.count where slots[slot].isLive {
            let up = slots[slot].up
            let buffer = slots[slot].buffer
            slots[slot].up = nil
            slots[slot].buffer = Ring()
            slots[slot].isLive = false
            free.append(slot)
            live &-= 1
            up?.cancel()
            _ = buffer
        }
    }
    @inlinable @inline(never) func teardown() {
        if over { return }
        end { out.drop() }
    }
    @inlinable func finish(_ completion: Completion<Failure>) {
        if over { return }
        let isAlive = requested.end()
        end {
            if isAlive {
                delivering = true
                out.done(completion)
                delivering = false
            }
            out.drop()
        }
    }
    /// Upstreams are cancelled before downstream hears of the end.
    @inlinable func end(_ last: () -> Void) {
        over = true
        let waiting = pending
        let upstream = outer
        pending.removeAll()
        ready.removeAll()
        begin = nil
        outer = nil
        dropLanes()
        upstream?.cancel()
        last()
        _ = waiting
    }
    /// Nothing can come any more: finished, or silent where an upstream let go without an end.
    @inlinable func conclude() {
        if !isLost { return finish(.finished) }
        _ = requested.end()
        teardown()
    }
}
