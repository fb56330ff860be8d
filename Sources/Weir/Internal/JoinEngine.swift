// The engine of zip and combineLatest.
//
// What is written inside a pack expansion is never specialised, even where the packs are known. So whatever does not
// depend on an element type is not generic at all; the row's type appears only in `Row.emit`, which is formed outside an
// expansion and specialised; and a lane keeps its elements behind plain pointers and writes them straight into its place
// in the row. A tuple lies in memory in order, each element at the next multiple of its alignment.

/// One upstream, whatever its element. It has no way to the engine, which holds it: whoever calls it brings the engine
/// along, upstream's closures too. So nothing is retained for an element, and there is no circle to cut.
@usableFromInline class AnyLane {
    @usableFromInline final let index: Int
    @exclusivity(unchecked) @usableFromInline final var up: Subscription?
    @exclusivity(unchecked) @usableFromInline final var consumed = 0
    @exclusivity(unchecked) @usableFromInline final var head = 0
    @exclusivity(unchecked) @usableFromInline final var queued = 0
    @exclusivity(unchecked) @usableFromInline final var isBounded = false
    @exclusivity(unchecked) @usableFromInline final var hasEnded = false
    /// combineLatest: has had an element.
    @exclusivity(unchecked) @usableFromInline final var isSeen = false

    @inlinable init(index: Int) { self.index = index }
    @usableFromInline func open(_ engine: JoinEngine) {}
    @usableFromInline func clear() {}
    @usableFromInline func step(_ engine: JoinEngine) {}
    @usableFromInline func place(_ engine: JoinEngine) {}

    @inlinable @inline(__always) final func took(_ engine: JoinEngine) {
        guard isBounded else { return }
        consumed &+= 1
        if consumed >= JoinEngine.batch { engine.isHungry = true }
    }
}

/// Joins the lanes' elements into rows: by position (zip) or by the latest of each.
@usableFromInline final class JoinEngine: Engine {
    /// Elements that an upstream may be ahead, a power of two.
    @inlinable static var prefetch: Int { 64 }
    @inlinable static var batch: Int { 48 }

    /// How a row goes out. A class and not an optional closure: taking a closure out of an Optional allocates each time.
    @usableFromInline final class Row {
        @usableFromInline let emit: () -> Bool
        @usableFromInline let complete: () -> Void
        @inlinable init(emit: @escaping () -> Bool, complete: @escaping () -> Void) {
            self.emit = emit
            self.complete = complete
        }
    }
    @usableFromInline let zips: Bool
    @usableFromInline let serial = Serial<() -> Void>()
    @usableFromInline let requested = Requested()
    @usableFromInline let drop: () -> Void
    @usableFromInline let scope: Trace.Scope
    // The emitter's own.
    /// Makes the row and the lanes, at the first request.
    @exclusivity(unchecked) @usableFromInline var begin: ((JoinEngine) -> Void)?
    /// Let go by hand, so that a row goes out without a retain: only the emitter does either.
    @exclusivity(unchecked) @usableFromInline var held: Unmanaged<Row>?
    @exclusivity(unchecked) @usableFromInline var memory: UnsafeMutableRawPointer?
    @exclusivity(unchecked) @usableFromInline var memorySize = 0
    @exclusivity(unchecked) @usableFromInline var lanes: ContiguousArray<AnyLane> = []
    @exclusivity(unchecked) @usableFromInline var width = 0
    @exclusivity(unchecked) @usableFromInline var emitted = 0
    /// Lanes that have an element for the next row.
    @exclusivity(unchecked) @usableFromInline var full = 0
    @exclusivity(unchecked) @usableFromInline var ended = 0
    /// combineLatest: in which order queued elements came.
    @exclusivity(unchecked) @usableFromInline var order = Ring<Int>()
    @exclusivity(unchecked) @usableFromInline var delivering = false
    @exclusivity(unchecked) @usableFromInline var settling = false
    @exclusivity(unchecked) @usableFromInline var isHungry = false
    /// zip: no further row can come. combineLatest: an upstream has ended, is there one?
    @exclusivity(unchecked) @usableFromInline var isExhausted = false
    /// combineLatest: an upstream has ended without an element.
    @exclusivity(unchecked) @usableFromInline var isHopeless = false
    /// combineLatest: a row is ready and waits for demand.
    @exclusivity(unchecked) @usableFromInline var isOwed = false
    @exclusivity(unchecked) @usableFromInline var isLost = false
    @exclusivity(unchecked) @usableFromInline var over = false

    @usableFromInline init(zips: Bool, drop: @escaping () -> Void, begin: @escaping (JoinEngine) -> Void) {
        self.zips = zips
        self.drop = drop
        self.begin = begin
        scope = Trace.Scope.current
    }
    deinit {
        held?.release()
        memory?.deallocate()
    }
    /// How rows go out, from the first request to the end.
    @inlinable var row: Row? {
        get { held?.takeUnretainedValue() }
        set {
            let old = held
            held = newValue.map { .passRetained($0) }
            old?.release()
        }
    }
    @inlinable func enrol(_ lane: AnyLane) { lanes.append(lane) }

    @usableFromInline func request(_ demand: Demand) {
        if requested.grow(demand) && serial.poke() { drain() }
    }
    @usableFromInline func cancel() { if requested.end() && serial.poke() { drain() } }

    @inlinable @inline(__always) var hasRoom: Bool { emitted < requested.now }
    @inlinable @inline(__always) func emitOne() {
        delivering = true
        let used = held.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.emit() }
        delivering = false
        if used { emitted &+= 1 }
    }
    /// zip: the lane at `index` has put its element into the row; the others place theirs.
    @usableFromInline func emitAround(_ index: Int) {
        lanes.withUnsafeBufferPointer { for lane in $0 where lane.index != index { lane.place(self) } }
        emitOne()
    }
    @usableFromInline func emitRows() {
        while full == width && hasRoom && !over && !isExhausted {
            lanes.withUnsafeBufferPointer { for lane in $0 { lane.place(self) } }
            emitOne()
        }
    }
    @usableFromInline func signal(_ item: @escaping () -> Void) {
        if serial.isPulling() {
            if delivering {
                _ = serial.post(item)
                return
            }
            if serial.isCalm() { item() } else { _ = serial.post(item) }
            if !serial.isCalm() { nested() }
        } else if serial.enter() {
            item()
            settle()
            if !serial.leave() { drain() }
        } else if serial.post(item) {
            drain()
        }
    }
    @usableFromInline func drain() { serial.drain({ $0() }, settle: { settle() }) }
    @usableFromInline func nested() {
        serial.drainNested { $0() }
        if requested.isOver { close {} }
    }
    @usableFromInline func ended(_ lane: AnyLane, isLost: Bool) {
        if over { return }
        if isLost { self.isLost = true }
        lane.hasEnded = true
        lane.up = nil
        ended += 1
        let isEmpty = lane.queued == 0
        if !zips && isEmpty && !lane.isSeen { isHopeless = true }
        // zip: what is queued is still joined, and the last of it says that no further row can come.
        if isEmpty || !zips { isExhausted = true }
    }
    /// Ends where no further row can come. O(1): with as many ends as lanes, looking at the lanes would be quadratic.
    @usableFromInline func check() {
        isExhausted = false
        if zips || isHopeless || (!isOwed && ended == width && order.isEmpty) { conclude() }
    }
    @usableFromInline func settle() {
        if settling { return }
        settling = true
        defer { settling = false }
        while !over {
            let demand = requested.synced
            if demand < 0 { return close {} }
            if let make = begin {
                begin = nil
                open(make, demand)
                continue
            }
            if zips {
                if isExhausted { check() }
                if over { return }
                emitRows()
            } else {
                emitQueued()
            }
            if isExhausted { check() }
            if over { return }
            if requested.isOver { continue }
            if !isHungry { return }
            feed()
        }
    }
    /// Makes the lanes, attaches them from left to right, then asks them.
    func open(_ make: (JoinEngine) -> Void, _ demand: Int) {
        make(self)
        width = lanes.count
        for lane in lanes {
            lane.isBounded = zips || demand != .max
            scope.run { lane.open(self) }
        }
        for lane in lanes where !over {
            guard let up = lane.up else { continue }
            serial.pulling { Trampoline.ask(up, lane.isBounded ? Demand(Self.prefetch) : .unbounded) }
            // Its end may mean that no further row can come: the lanes behind it are not asked then.
            if isExhausted { check() }
        }
    }
    func emitQueued() {
        if isOwed && hasRoom {
            isOwed = false
            emitOne()
        }
        while !isOwed && !over && hasRoom, let index = order.popFirst() {
            lanes[index].step(self)
            if full == width { emitOne() }
        }
        if ended > 0 && order.isEmpty { isExhausted = true }
    }
    /// Asks the lanes for as much again as they have given.
    func feed() {
        isHungry = false
        for lane in lanes where lane.consumed >= Self.batch && !over {
            let demand = lane.consumed
            lane.consumed = 0
            if let up = lane.up { serial.pulling { up.request(Demand(demand)) } }
            if isExhausted { check() }
        }
    }
    /// Upstreams are cancelled before downstream hears of the end.
    @usableFromInline func close(_ last: () -> Void) {
        if over { return }
        over = true
        begin = nil
        let all = lanes
        lanes = []
        order.removeAll()
        for lane in all {
            lane.clear()
            let up = lane.up
            lane.up = nil
            up?.cancel()
        }
        last()
        row = nil
        drop()
    }
    @usableFromInline func finish(_ end: () -> Void) {
        if over { return }
        let isAlive = requested.end()
        close {
            guard isAlive else { return }
            delivering = true
            end()
            delivering = false
        }
    }
    /// No further row can come: finished, or silent where an upstream let go without an end.
    func conclude() {
        guard let row, !isLost else {
            _ = requested.end()
            return close {}
        }
        finish(row.complete)
    }
}
