extension FlatMapEngine {
    /// What an inner upstream holds. Its deinit without an end tells the engine that this upstream let go.
    @usableFromInline final class Lane {
        @usableFromInline let engine: FlatMapEngine
        @usableFromInline let slot: Int
        @usableFromInline let ticket: Int
        @exclusivity(unchecked) @usableFromInline var isBounded: Bool
        @exclusivity(unchecked) @usableFromInline var hasEnded = false

        @inlinable init(_ engine: FlatMapEngine, slot: Int, ticket: Int, isBounded: Bool) {
            self.engine = engine
            self.slot = slot
            self.ticket = ticket
            self.isBounded = isBounded
        }
        @inlinable deinit {
            if !hasEnded && !engine.requested.isOver { engine.signal(.lost(slot: slot, ticket: ticket)) }
        }
        @inlinable func done(_ completion: Completion<Failure>) {
            hasEnded = true
            engine.signal(.done(slot: slot, ticket: ticket, completion))
        }
        @inlinable func next(_ element: Output) -> Bool {
            let engine = engine
            if engine.serial.isPulling() {
                if engine.delivering {
                    _ = engine.serial.post(.next(self, element))
                } else if engine.isCalm {
                    engine.deliver(self, element)
                    if !engine.isCalm { engine.nested() }
                } else {
                    _ = engine.serial.post(.next(self, element))
                    engine.nested()
                }
            } else if engine.serial.enter() {
                engine.deliver(self, element)
                if engine.dirty { engine.settle() }
                if !engine.serial.leave() { engine.drain() }
            } else if engine.serial.post(.next(self, element)) {
                engine.drain()
            }
            return true
        }
    }

    @inlinable @inline(__always) func deliver(_ lane: Lane, _ element: Output) {
        let demand = requested.now
        if demand == .max && !lane.isBounded && (!isLatest || lane.ticket == tickets) {
            delivering = true
            _ = out.next(element)
            delivering = false
        } else {
            deliverCounted(lane, element, demand)
        }
    }
    @inlinable @inline(never) func deliverCounted(_ lane: Lane, _ element: Output, _ demand: Int) {
        let slot = lane.slot
        if demand < 0 || !isCurrent(slot, lane.ticket) { return }
        if !slots[slot].isBounded { lane.isBounded = false }
        guard slots[slot].buffer.isEmpty && emitted < demand else {
            if !slots[slot].isReady {
                slots[slot].isReady = true
                ready.append(slot)
            }
            slots[slot].buffer.append(element)
            return dirty = true
        }
        delivering = true
        let used = out.next(element)
        delivering = false
        if over { return }
        if isLatest && slots[slot].asked != .max {
            slots[slot].asked -= 1
            if !used { dirty = true }
        }
        if used { emitted &+= 1 }
        consume(slot)
    }
    /// Asks an inner upstream for as much again as it has given.
    @inlinable func consume(_ slot: Int) {
        guard slots[slot].isBounded && !isLatest && slots[slot].isLive else { return }
        slots[slot].consumed &+= 1
        guard slots[slot].consumed >= Self.prefetch * 3 / 4, let up = slots[slot].up else { return }
        let demand = slots[slot].consumed
        slots[slot].consumed = 0
        pull { up.request(Demand(demand)) }
    }

    /// Starts what waits. Inside an inner upstream's own signal that is left to the frames below: constant depth.
    @inlinable func startPending() {
        while pullDepth == 0 && !over && live < maxConcurrent, let stream = pending.popFirst() {
            let demand = requested.synced
            if demand < 0 { return }
            start(stream, demand)
        }
        if !pending.isEmpty { dirty = true }
    }
    @inlinable func start(_ stream: Stream, _ demand: Int) {
        let slot: Int
        if let known = free.popLast() {
            slot = known
        } else {
            slot = slots.count
            slots.append(Slot())
        }
        tickets &+= 1
        live &+= 1
        slots[slot].isLive = true
        slots[slot].hasEnded = false
        slots[slot].ticket = tickets
        slots[slot].consumed = 0
        slots[slot].isBounded = demand != .max
        let lane = Lane(self, slot: slot, ticket: tickets, isBounded: demand != .max)
        let observer = Observer<Output, Failure>(next: { lane.next($0) }, done: { lane.done($0) })
        let up = nests ? scope.nest(stream, observer) : scope.run { stream.attach(observer) }
        slots[slot].up = up
        if demand == .max {
            slots[slot].asked = .max
            pull { Trampoline.ask(up, .unbounded) }
        } else if isLatest {
            let missing = max(demand - emitted, 0)
            slots[slot].asked = missing
            if missing > 0 { pull { Trampoline.ask(up, Demand(missing)) } }
        } else {
            pull { Trampoline.ask(up, Demand(Self.prefetch)) }
        }
    }

    @inlinable @inline(never) func settle() {
        if settling { return }
        settling = true
        defer { settling = false }
        while !over {
            dirty = false
            if requested.synced < 0 { return teardown() }
            if let attach = begin {
                begin = nil
                outer = scope.run { attach(self) }
            }
            flush()
            if !pending.isEmpty { startPending() }
            if isLatest && askLatest() { continue }
            if credit > 0, let outer {
                let demand = credit
                credit = 0
                serial.pulling { outer.request(Demand(demand)) }
                continue
            }
            if outerEnded && live == 0 && pending.isEmpty { return conclude() }
            if !dirty || (!requested.isOver && !canProgress) { return }
        }
    }
    /// Latest only: passes new demand to the lane that runs. Answers whether it asked.
    @inlinable func askLatest() -> Bool {
        guard live > 0, let slot = slots.indices.first(where: { slots[$0].isLive }) else { return false }
        guard slots[slot].isBounded, let up = slots[slot].up else { return false }
        let demand = requested.synced
        if demand == .max {
            slots[slot].asked = .max
            slots[slot].isBounded = false
            pull { up.request(.unbounded) }
            return true
        }
        let missing = demand - emitted - slots[slot].asked
        guard missing > 0 else { return false }
        slots[slot].asked += missing
        pull { up.request(Demand(missing)) }
        return true
    }
    @inlinable var canProgress: Bool {
        if !ready.isEmpty && emitted < requested.now { return true }
        if !pending.isEmpty && live < maxConcurrent { return true }
        if outerEnded && live == 0 && pending.isEmpty { return true }
        return (credit > 0 && outer != nil) || (isLatest && dirty)
    }
    /// Emits what the slots hold, in turn.
    @inlinable func flush() {
        while !ready.isEmpty {
            if emitted >= requested.synced { return }  // also when cancelled
            guard let slot = ready.popFirst() else { return }
            slots[slot].isReady = false
            guard slots[slot].isLive, let element = slots[slot].buffer.popFirst() else { continue }
            delivering = true
            let used = out.next(element)
            delivering = false
            if over { return }
            if used && requested.now != .max { emitted &+= 1 }
            consume(slot)
            if !slots[slot].isLive { continue }
            if !slots[slot].buffer.isEmpty {
                if !slots[slot].isReady {
                    slots[slot].isReady = true
                    ready.append(slot)
                }
            } else if slots[slot].hasEnded {
                remove(slot)
            }
        }
    }
}
