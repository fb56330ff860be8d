/// The queue of `buffer`: upstream's signals and downstream's requests meet in one serialiser.
@usableFromInline final class BufferEngine<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline enum Item {
        case next(Element)
        case done(Completion<Failure>)
        case lost
    }
    /// What may still come from upstream.
    @usableFromInline enum Phase {
        case fresh
        case open
        case ended(Completion<Failure>)
        /// Upstream let go without an end.
        case lost
        case over
    }
    @usableFromInline let serial = Serial<Item>()
    @usableFromInline let requested = Requested()
    @usableFromInline let out: Outlet<Element, Failure>
    @usableFromInline let scope: Trace.Scope
    @usableFromInline let source: Observable<Element, Failure>
    @usableFromInline let overflow: Overflow<Failure>
    @usableFromInline let size: Int
    @usableFromInline let dropped: DropCounter?
    // The emitter's own.
    @exclusivity(unchecked) @usableFromInline var phase = Phase.fresh
    @exclusivity(unchecked) @usableFromInline var up: Subscription?
    @exclusivity(unchecked) @usableFromInline var queue = Ring<Element>()
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    /// Taken out since upstream was last asked; counts where upstream is asked for what fits.
    @exclusivity(unchecked) @usableFromInline var taken = 0

    @inlinable init(
        _ down: Observer<Element, Failure>, _ source: Observable<Element, Failure>, _ policy: BufferPolicy<Failure>,
        _ dropped: DropCounter?
    ) {
        out = Outlet(down)
        self.source = source
        self.dropped = dropped
        scope = Trace.Scope.current
        switch policy {
        case .unbounded: (size, overflow) = (.max, .dropNewest)
        case .bounded(let limit, .suspend): (size, overflow) = (max(1, limit), .suspend)
        case .bounded(let limit, let rule): (size, overflow) = (max(0, limit), rule)
        }
    }
    @inlinable var suspends: Bool { if case .suspend = overflow { true } else { false } }

    @inlinable func request(_ demand: Demand) {
        if requested.grow(demand) && serial.poke() { drain() }
    }
    @inlinable func cancel() { if requested.end() && serial.poke() { drain() } }

    @inlinable func signal(_ item: Item) {
        if serial.enter() {
            run(item)
            settle()
            if !serial.leave() { drain() }
        } else if serial.post(item) {
            drain()
        }
    }
    @inlinable @inline(never) func drain() { serial.drain({ run($0) }, settle: { settle() }) }

    @inlinable func run(_ item: Item) {
        guard case .open = phase else { return }
        switch item {
        case .next(let element): take(element)
        case .done(let completion): leave(.ended(completion))
        case .lost: leave(.lost)
        }
    }
    /// Upstream is over: it is not called any more.
    @inlinable func leave(_ end: Phase) {
        phase = end
        up = nil
    }
    @inlinable func take(_ element: Element) {
        if queue.isEmpty && emitted < requested.synced { return deliver(element) }
        guard queue.count >= size else { return queue.append(element) }
        switch overflow {
        case .suspend: queue.append(element)
        case .dropNewest: dropped?.add(1)
        case .dropOldest:
            dropped?.add(1)
            // What goes may run a foreign deinit, so it goes last.
            let oldest = queue.popFirst()
            if size > 0 { queue.append(element) }
            _ = oldest
        case .fail(let error):
            dropped?.add(1)
            let upstream = up
            leave(.ended(.failed(error)))
            upstream?.cancel()
        }
    }
    @inlinable func deliver(_ element: Element) {
        taken &+= 1
        if out.next(element) && requested.now != .max { emitted &+= 1 }
    }
    @inlinable func settle() {
        if case .over = phase { return }
        if requested.isOver { return close() }
        if case .fresh = phase { open() }
        while emitted < requested.synced, let element = queue.popFirst() { deliver(element) }
        if requested.isOver { return close() }
        switch phase {
        case .ended(let completion) where queue.isEmpty:
            if requested.end() { out.done(completion) }
            close()
        case .lost where queue.isEmpty:
            _ = requested.end()
            close()
        case .open where suspends && taken >= max(1, size - size / 4):
            let more = taken
            taken = 0
            up?.request(Demand(more))
        default: break
        }
    }
    @inlinable func open() {
        phase = .open
        let observer = Observer<Element, Failure>(
            next: {
                self.signal(.next($0))
                return true
            }, end: { self.signal(.done($0)) }, lost: { self.signal(.lost) })
        let subscription = scope.run { source.attach(observer) }
        up = subscription
        // What it signals meanwhile is posted: the emitter is here.
        subscription.request(suspends ? Demand(size) : .unbounded)
    }
    @inlinable func close() {
        phase = .over
        let upstream = up
        let unsent = queue
        up = nil
        queue = Ring()
        upstream?.cancel()
        out.drop()
        _ = unsent
    }
}
