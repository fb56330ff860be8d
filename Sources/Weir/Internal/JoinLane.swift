/// An upstream of a join: a ring of what it is ahead, and its place in the row.
@usableFromInline final class JoinLane<Element: Sendable, Failure: Error>: AnyLane {
    @usableFromInline let source: Observable<Element, Failure>
    @usableFromInline let fail: (JoinEngine, Completion<Failure>) -> Void
    @usableFromInline let ring: UnsafeMutablePointer<Element>
    /// What did not fit into the ring, behind it.
    @exclusivity(unchecked) @usableFromInline var spilled: Ring<Element>?
    /// combineLatest: the latest element; zip: where the next row takes it from.
    @usableFromInline let cell: UnsafeMutablePointer<Element>

    @inlinable init(
        _ engine: JoinEngine, _ memory: UnsafeMutableRawPointer, _ source: Observable<Element, Failure>,
        _ fail: @escaping (JoinEngine, Completion<Failure>) -> Void
    ) {
        self.source = source
        self.fail = fail
        ring = .allocate(capacity: JoinEngine.prefetch)
        let alignment = MemoryLayout<Element>.alignment
        let offset = (engine.memorySize + alignment - 1) / alignment * alignment
        engine.memorySize = offset + MemoryLayout<Element>.size
        cell = (memory + offset).assumingMemoryBound(to: Element.self)
        super.init(index: engine.lanes.count)
    }
    deinit {
        clear()
        ring.deallocate()
    }

    @usableFromInline override func open(_ engine: JoinEngine) {
        let tether = Tether<Failure>(
            end: { completion in
                engine.signal {
                    if engine.over { return }
                    if case .failed = completion {
                        // An upstream that signals its end is not called any more (rule 2.3).
                        self.up = nil
                        self.fail(engine, completion)
                    } else {
                        engine.ended(self, isLost: false)
                    }
                }
            }, lost: { engine.signal { engine.ended(self, isLost: true) } })
        up = source.attach(Observer(next: { self.next($0, engine) }, done: { tether.done($0) }))
    }
    @usableFromInline override func clear() {
        while queued > 0 {
            (ring + head).deinitialize(count: 1)
            advance()
        }
        if isSeen {
            isSeen = false
            cell.deinitialize(count: 1)
        }
    }
    @inlinable @inline(__always) func advance() {
        head = (head &+ 1) & (JoinEngine.prefetch &- 1)
        queued &-= 1
        if queued >= JoinEngine.prefetch { refill() }
    }
    /// An upstream that sends more than it was asked for (rule 1.1) is told on, and loses nothing.
    @inlinable @inline(never) func spill(_ element: Element) {
        if spilled == nil {
            spilled = Ring()
            Unhandled.report(
                "zip or combineLatest: a stream sent more elements than were asked for, and they are queued")
        }
        spilled?.append(element)
    }
    @inlinable @inline(never) func refill() {
        guard let oldest = spilled?.popFirst() else { return }
        (ring + ((head &+ JoinEngine.prefetch &- 1) & (JoinEngine.prefetch &- 1))).initialize(to: oldest)
    }
    /// combineLatest: the oldest queued element becomes the latest.
    @usableFromInline override func step(_ engine: JoinEngine) {
        let oldest = ring + head
        if isSeen {
            cell.moveUpdate(from: oldest, count: 1)
        } else {
            isSeen = true
            engine.full &+= 1
            cell.moveInitialize(from: oldest, count: 1)
        }
        advance()
        took(engine)
    }
    /// zip: moves the oldest element into the row.
    @usableFromInline override func place(_ engine: JoinEngine) {
        cell.moveInitialize(from: ring + head, count: 1)
        advance()
        if queued == 0 {
            engine.full &-= 1
            if hasEnded { engine.isExhausted = true }
        }
        took(engine)
    }
    @inlinable @inline(__always) func push(_ element: Element) {
        if queued < JoinEngine.prefetch {
            (ring + ((head &+ queued) & (JoinEngine.prefetch &- 1))).initialize(to: element)
        } else {
            spill(element)
        }
        queued &+= 1
    }
    @inlinable @inline(__always) func put(_ element: Element, _ engine: JoinEngine) {
        if isSeen {
            cell.pointee = element
        } else {
            isSeen = true
            engine.full &+= 1
            cell.initialize(to: element)
        }
        took(engine)
    }
    @inlinable func next(_ element: Element, _ engine: JoinEngine) -> Bool {
        if engine.serial.isPulling() {
            if !engine.delivering && engine.serial.isCalm() {
                take(element, engine)
                // A row that was the last: before this upstream goes on, and perhaps fails.
                if engine.isExhausted && !engine.over { engine.check() }
                if !engine.serial.isCalm() { engine.nested() }
            } else {
                _ = engine.serial.post { self.take(element, engine) }
                if !engine.delivering { engine.nested() }
            }
        } else if engine.serial.enter() {
            take(element, engine)
            if engine.isHungry || engine.isExhausted { engine.settle() }
            if !engine.serial.leave() { engine.drain() }
        } else if engine.serial.post({ self.take(element, engine) }) {
            engine.drain()
        }
        return true
    }
    @inlinable func take(_ element: Element, _ engine: JoinEngine) {
        // Cancelled, and the emitter has yet to close: what was posted before that is dropped.
        if engine.over || engine.requested.isOver { return }
        if engine.zips { takeZip(element, engine) } else { takeLatest(element, engine) }
    }
    @inlinable @inline(__always) func takeZip(_ element: Element, _ engine: JoinEngine) {
        if queued == 0 && engine.full == engine.width &- 1 && engine.hasRoom && !engine.isExhausted {
            // The last one missing goes straight into the row.
            cell.initialize(to: element)
            took(engine)
            return engine.emitAround(index)
        }
        push(element)
        if queued == 1 {
            engine.full &+= 1
            if engine.full == engine.width { engine.emitRows() }
        }
    }
    @inlinable @inline(__always) func takeLatest(_ element: Element, _ engine: JoinEngine) {
        guard engine.order.isEmpty && !engine.isOwed && (engine.full < engine.width || engine.hasRoom) else {
            // After a cancel there is no room, and the ring is not meant for what an unbounded lane still sends.
            if engine.requested.isOver { return }
            push(element)
            return engine.order.append(index)
        }
        put(element, engine)
        guard engine.full == engine.width else { return }
        if engine.hasRoom { engine.emitOne() } else { engine.isOwed = true }
    }
}
