import Synchronization

/// A fixed ring between one producer (upstream's signals) and one consumer (a drain on the scheduler).
///
/// Upstream never sends more than was asked for, so the ring does not overflow; where one does (rule 1.1) it is told on, and
/// all that it sends from then on goes through a queue that grows: nothing is lost. One drain is scheduled at a time: order
/// is kept and the completion comes last on any scheduler.
@usableFromInline final class HopEngine<Element: Sendable, Failure: Error>: Engine {
    /// The ring is never larger, whatever was asked for.
    @inlinable static var largest: Int { 1 << 16 }
    /// What `wake` says of the drain.
    @inlinable static var asleep: Int { 0 }
    @inlinable static var awake: Int { 1 }
    @inlinable static var toldAgain: Int { 2 }

    @usableFromInline struct Up {
        @usableFromInline var hasBegun = false
        @usableFromInline var isClosed = false
        @usableFromInline var subscription: Subscription?
        @inlinable init() {}
    }
    @usableFromInline let schedule: (@escaping @Sendable () -> Void) -> Void
    @usableFromInline let source: Observable<Element, Failure>
    @usableFromInline let scope: Trace.Scope
    @usableFromInline let capacity: Int
    @usableFromInline let ring: UnsafeMutablePointer<Element>
    @usableFromInline let out: Outlet<Element, Failure>
    @usableFromInline let requested = Requested()
    @usableFromInline let wake = Atomic<Int>(0)
    @usableFromInline let up = Lock(Up())
    // The producer's.
    @usableFromInline let tail = Atomic<Int>(0)
    @usableFromInline let hasEnded = Atomic<Bool>(false)
    /// From which element on `spilled` takes them.
    @usableFromInline let spillStart = Atomic<Int>(.max)
    @usableFromInline let spilled = Lock(Ring<Element>())
    /// The capacity, until it was not kept to.
    @exclusivity(unchecked) @usableFromInline var room: Int
    @exclusivity(unchecked) @usableFromInline var end: Completion<Failure>?
    // The consumer's; `head` is atomic for deinit alone.
    @usableFromInline let head = Atomic<Int>(0)
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    @exclusivity(unchecked) @usableFromInline var consumed = 0
    @exclusivity(unchecked) @usableFromInline var over = false

    @inlinable init(
        _ down: Observer<Element, Failure>, _ source: Observable<Element, Failure>, prefetch: Int,
        schedule: @escaping (@escaping @Sendable () -> Void) -> Void
    ) {
        self.schedule = schedule
        self.source = source
        scope = Trace.Scope.current
        out = Outlet(down)
        var size = 2
        while size < min(prefetch, Self.largest) { size *= 2 }
        capacity = size
        room = size
        ring = .allocate(capacity: size)
    }
    @inlinable deinit {
        let last = min(tail.load(ordering: .acquiring), spillStart.load(ordering: .acquiring))
        var index = head.load(ordering: .acquiring)
        while index < last {
            (ring + (index & (capacity - 1))).deinitialize(count: 1)
            index += 1
        }
        ring.deallocate()
    }

    /// Wakes the drain, or tells it to look again.
    @inlinable func kick() {
        while true {
            switch wake.load(ordering: .sequentiallyConsistent) {
            case Self.toldAgain: return
            case Self.awake: if move(from: Self.awake, to: Self.toldAgain) { return }
            default:
                if move(from: Self.asleep, to: Self.awake) {
                    nonisolated(unsafe) let engine = self  // the drain is the one consumer
                    return schedule { engine.drain() }
                }
            }
        }
    }
    @inlinable func move(from old: Int, to new: Int) -> Bool {
        wake.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }

    @inlinable func request(_ demand: Demand) {
        guard requested.grow(demand) else { return }
        let begins = up.withLock { up in
            let begins = !up.hasBegun
            up.hasBegun = true
            return begins
        }
        if begins { begin() } else { kick() }
    }
    @inlinable func begin() {
        let observer = Observer<Element, Failure>(
            next: { self.push($0) }, end: { self.end($0) }, lost: { self.end(nil) })
        let subscription = scope.run { source.attach(observer) }
        let isClosed = up.withLock { up in
            if !up.isClosed { up.subscription = subscription }
            return up.isClosed
        }
        if !isClosed { return subscription.request(Demand(capacity)) }
        // Upstream may have ended inside the attach: then it is told nothing.
        if !hasEnded.load(ordering: .acquiring) { subscription.cancel() }
    }
    @inlinable func cancel() {
        guard requested.end() else { return }
        takeUp()?.cancel()
        // Nobody delivers: this thread may drop the observer. Else the drain does.
        if move(from: Self.asleep, to: Self.awake) { close() } else { kick() }
    }
    @inlinable func takeUp() -> Subscription? {
        up.withLock { up in
            let subscription = up.subscription
            up.subscription = nil
            up.isClosed = true
            return subscription
        }
    }

    @inlinable func push(_ element: Element) -> Bool {
        let index = tail.load(ordering: .relaxed)
        if index &- head.load(ordering: .acquiring) < room {
            (ring + (index & (capacity - 1))).initialize(to: element)
        } else {
            spill(element, index)
        }
        tail.store(index &+ 1, ordering: .sequentiallyConsistent)
        if wake.load(ordering: .sequentiallyConsistent) == Self.asleep { kick() }
        return true
    }
    @inlinable @inline(never) func spill(_ element: Element, _ index: Int) {
        if room == capacity {
            room = .min
            spillStart.store(index, ordering: .releasing)
            Unhandled.report("receive(on:): a stream sent more elements than were asked for, and they are queued")
        }
        spilled.withLock { $0.append(element) }
    }
    @inlinable @inline(__always) func pop(_ index: Int, _ spillStart: Int) -> Element {
        if index >= spillStart, let element = spilled.withLock({ $0.popFirst() }) { return element }
        return (ring + (index & (capacity - 1))).move()
    }
    /// nil: upstream let go without an end.
    @inlinable func end(_ completion: Completion<Failure>?) {
        end = completion
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        // Rule 2.4: the queue may outlive upstream, which from here on is neither asked nor cancelled.
        _ = takeUp()
        kick()
    }

    /// On the scheduler, one at a time.
    @inlinable func drain() {
        var index = head.load(ordering: .relaxed)
        while !over {
            wake.store(Self.awake, ordering: .sequentiallyConsistent)
            let isLast = hasEnded.load(ordering: .acquiring)
            let last = tail.load(ordering: .acquiring)
            let spillStart = spillStart.load(ordering: .acquiring)
            var demand = requested.synced
            while index < last && emitted < demand {
                let element = pop(index, spillStart)
                index &+= 1
                head.store(index, ordering: .releasing)
                if out.next(element) && demand != .max { emitted &+= 1 }
                consumed &+= 1
                demand = requested.now
            }
            if demand < 0 { return close() }
            if isLast && index == last { return finish() }
            if consumed >= capacity * 3 / 4 {
                let more = consumed
                consumed = 0
                up.withLock { $0.subscription }?.request(Demand(more))
                continue
            }
            let used = emitted
            if hasWork(index, used) { continue }
            guard move(from: Self.awake, to: Self.asleep) else { continue }
            // Something may have been pushed while the drain still said that it was awake. From here on another drain may
            // run, and may even have gone to sleep again: what was known of the consumer's side is out of date.
            guard hasWork(index, used), move(from: Self.asleep, to: Self.awake) else { return }
            index = head.load(ordering: .acquiring)
        }
    }
    @inlinable func hasWork(_ index: Int, _ used: Int) -> Bool {
        index < tail.load(ordering: .sequentiallyConsistent) && used < requested.synced
    }
    @inlinable func finish() {
        let isAlive = requested.end()
        _ = takeUp()
        if isAlive, let end { out.done(end) }
        close()
    }
    @inlinable func close() {
        over = true
        takeUp()?.cancel()
        out.drop()
    }
}
