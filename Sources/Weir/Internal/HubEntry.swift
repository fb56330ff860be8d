import Synchronization

extension Hub {
    /// One subscriber of a hub: its demand, and a queue for what it has not asked for yet. Nothing is dropped.
    ///
    /// `word` is `fresh` before the first request, negative when over, and else twice the demand in all, plus one where
    /// the emitter wants to be told of more.
    @usableFromInline final class Entry: Engine, @unchecked Sendable {
        @inlinable static var fresh: Int { .min }
        /// Unbounded, nothing queued: the fast path.
        @inlinable static var all: Int { .max - 1 }
        /// Unbounded, the emitter has yet to flush the queue.
        @inlinable static var allSoon: Int { .max - 3 }

        @usableFromInline let word = Atomic<Int>(.min)
        @usableFromInline let hub: Hub
        // The emitter's own.
        @exclusivity(unchecked) @usableFromInline var box: Unmanaged<Box<Element, Failure>>?
        @exclusivity(unchecked) @usableFromInline var emitted = 0
        @exclusivity(unchecked) @usableFromInline var queue = Ring<Element>()
        /// In a cell: where an object of a generic class is freed, the type of a field that is made from its parameters is
        /// looked up each time (20 ns), but not that of a reference.
        @exclusivity(unchecked) @usableFromInline var end: Cell<Completion<Failure>>?
        /// The hub has let go: what is queued still goes out, then the observer is freed without an end.
        @exclusivity(unchecked) @usableFromInline var lost = false
        /// Counted among those that keep the hub from asking for more.
        @exclusivity(unchecked) @usableFromInline var blocks = false

        @inlinable init(_ observer: Observer<Element, Failure>, _ hub: Hub) {
            box = .passRetained(Box(observer))
            self.hub = hub
        }
        @inlinable deinit { box?.release() }

        @inlinable var isOver: Bool { word.load(ordering: .acquiring) < 0 }

        @inlinable func drop() {
            let dropped = box
            box = nil
            dropped?.release()
            if !queue.isEmpty { queue.removeAll() }
        }

        @inlinable func request(_ demand: Demand) {
            let unbounded = demand.count >= Entry.allSoon / 2
            var before = word.load(ordering: .relaxed)
            while true {
                if before == Entry.fresh {
                    let first = unbounded ? Entry.all : demand.count &<< 1
                    let swap = word.compareExchange(
                        expected: before, desired: first, ordering: .acquiringAndReleasing)
                    if swap.exchanged { return hub.signal(.add(self)) }
                    before = swap.original
                    continue
                }
                if before < 0 || before >= Entry.allSoon { return }
                let isAll = unbounded || demand.count &+ (before &>> 1) >= Entry.allSoon / 2
                let sum = isAll ? Entry.allSoon : (before & ~1) &+ (demand.count &<< 1)
                let swap = word.compareExchange(expected: before, desired: sum, ordering: .acquiringAndReleasing)
                if swap.exchanged {
                    if before & 1 == 1 || hub.feed != nil || isAll { hub.signal(.pull(self)) }
                    return
                }
                before = swap.original
            }
        }
        @inlinable func cancel() {
            let before = word.exchange(-1, ordering: .acquiringAndReleasing)
            if before >= 0 { hub.signal(.remove(self)) } else if before == Entry.fresh { drop() }
        }

        @inlinable @inline(__always) func hand(_ element: Element) -> Bool {
            box.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.observer.next(element) }
        }
        @inlinable @inline(__always) func deliver(_ element: Element) {
            if word.load(ordering: .relaxed) == Entry.all { _ = hand(element) } else { counted(element) }
        }
        @inlinable @inline(never) func counted(_ element: Element) {
            let demand = word.load(ordering: .acquiring)
            if demand < 0 || end != nil { return }
            if queue.isEmpty && demand < Entry.allSoon && demand &>> 1 > emitted {
                if hand(element) { emitted &+= 1 }
                return
            }
            queue.append(element)
            flush()
        }
        /// Sends what is queued as far as demand goes; where it ends, marks that the emitter wants to be told of more.
        @inlinable @inline(never) func flush() {
            while true {
                var demand = word.load(ordering: .acquiring)
                while demand >= 0 && (demand >= Entry.allSoon || demand &>> 1 > emitted), let element = queue.popFirst()
                {
                    if hand(element) && demand < Entry.allSoon { emitted &+= 1 }
                    demand = word.load(ordering: .acquiring)
                }
                if demand < 0 { return queue.removeAll() }
                if queue.isEmpty {
                    if let end { return terminate(end.value) }
                    if lost { return vanish() }
                    if demand == Entry.allSoon {
                        _ = word.compareExchange(
                            expected: demand, desired: Entry.all, ordering: .acquiringAndReleasing)
                    }
                    return
                }
                if demand >= Entry.allSoon || demand &>> 1 > emitted { continue }
                let swap = word.compareExchange(
                    expected: demand, desired: demand | 1, ordering: .acquiringAndReleasing)
                if swap.exchanged { return }
            }
        }
        /// The end comes after what is queued.
        @inlinable func finish(_ completion: Completion<Failure>) {
            if queue.isEmpty { return terminate(completion) }
            if end == nil { end = Cell(completion) }
        }
        @inlinable func terminate(_ completion: Completion<Failure>) {
            if word.exchange(-1, ordering: .acquiringAndReleasing) >= 0 {
                box?._withUnsafeGuaranteedRef { $0.observer.done(completion) }
            }
            drop()
        }
        /// The owner of the hub is gone: free the observer, after what is still queued.
        @inlinable func lose() {
            if queue.isEmpty || isOver { return vanish() }
            lost = true
        }
        @inlinable func vanish() {
            word.store(-1, ordering: .releasing)
            drop()
        }
        /// What could be sent to this entry without queueing.
        @inlinable var room: Int {
            let demand = word.load(ordering: .acquiring)
            return demand < 0 || demand >= Entry.allSoon ? .max : (demand &>> 1) &- emitted &- queue.count
        }
    }
}
