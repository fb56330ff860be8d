// One direction of a line in memory: what is written arrives after the latency, in order. It can be held (a partition) and
// it can die (a cable that is pulled): then bytes vanish and nobody is told.

import WeirTransport

final class MemoryPipe: Sendable {
    private let time: Timekeeper
    private let latency: Duration
    private let writer: Endpoint
    private let state = Lock(State())

    /// As with a socket: how much may be under way or unread, and from where on there is room again.
    private static let full = 1 << 20
    private static let low = 256 << 10

    fileprivate enum Parcel { case bytes([UInt8]), end, reset }
    fileprivate typealias Reader = @Sendable (Result<[UInt8]?, TransportError>) -> Void

    fileprivate struct State {
        var underWay = Queue<(due: Duration, parcel: Parcel)>()
        var arrived = Queue<Parcel>()
        var count = 0
        var reader: Reader?
        var room: (@Sendable () -> Void)?
        var wasFull = false
        var isFinished = false
        var isDiscarding = false
        var isHeld = false
        var isDead = false
    }

    init(_ time: Timekeeper, latency: Duration, writer: Endpoint) {
        self.time = time
        self.latency = latency
        self.writer = writer
    }

    func write(_ bytes: [UInt8]) -> WriteAnswer {
        let answer = state.withLock { state -> WriteAnswer in
            guard !state.isFinished else { return .closed }
            state.underWay.append((time.now() + latency, .bytes(bytes)))
            state.count += bytes.count
            guard state.count >= Self.full else { return .room }
            state.wasFull = true
            return .full
        }
        if answer != .closed { arriveLater() }
        return answer
    }

    func finish() { end(with: .end) }
    func reset() { end(with: .reset) }

    private func end(with parcel: Parcel) {
        let isFirst = state.withLock { state in
            guard !state.isFinished else { return false }
            state.isFinished = true
            state.room = nil
            state.underWay.append((time.now() + latency, parcel))
            return true
        }
        if isFirst { arriveLater() }
    }

    func onRoom(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { state in if !state.isFinished { state.room = handler } }
    }

    func read(_ handler: @escaping @Sendable (Result<[UInt8]?, TransportError>) -> Void) {
        state.withLock { state in if !state.isDiscarding { state.reader = handler } }
        hand()
    }

    /// Nobody reads any more.
    func discard() {
        let dropped = state.withLock { state in
            state.isDiscarding = true
            defer { state.reader = nil }
            return state.reader
        }
        withExtendedLifetime(dropped) {}
        hand()
    }

    func hold(_ isHeld: Bool) {
        state.withLock { $0.isHeld = isHeld }
        arrive()
    }

    func die() { state.withLock { $0.isDead = true } }

    /// What waits on a clock does not keep the pipe: the clock would keep itself.
    private func arriveLater() { _ = time.after(latency) { [weak self] in self?.arrive() } }

    /// What is due arrives, whichever timer says so: timers of a real clock may fire out of order.
    private func arrive() {
        let now = time.now()
        state.withLock { state in
            guard !state.isHeld else { return }
            while let next = state.underWay.first, next.due <= now {
                state.underWay.popFirst()
                if !state.isDead { state.arrived.append(next.parcel) }
            }
        }
        hand()
    }

    private func hand() {
        while let (reader, result, room) = state.withLock({ $0.next(low: Self.low, writer) }) {
            reader?(result)
            room?()
        }
    }
}

extension MemoryPipe.State {
    fileprivate typealias Hand = (
        reader: MemoryPipe.Reader?, result: Result<[UInt8]?, TransportError>, room: (@Sendable () -> Void)?
    )

    /// The next thing to hand over, and whether the writer is to be told of room.
    fileprivate mutating func next(low: Int, _ writer: Endpoint) -> Hand? {
        guard let parcel = arrived.first, reader != nil || isDiscarding else { return nil }
        defer { reader = nil }
        switch parcel {
        case .bytes(let bytes):
            arrived.popFirst()
            count -= bytes.count
            let isRoom = wasFull && count <= low
            if isRoom { wasFull = false }
            return (reader, .success(bytes), isRoom ? room : nil)
        case .end, .reset:
            // The end stays: whoever reads again finds it again.
            guard let reader else { return nil }
            if case .end = parcel { return (reader, .success(nil), nil) }
            return (reader, .failure(.broken(writer, "reset by the other end")), nil)
        }
    }
}

/// One end of a line in memory.
final class MemoryStream: ByteStream {
    let remote: Endpoint
    private let incoming: MemoryPipe
    private let outgoing: MemoryPipe

    init(remote: Endpoint, incoming: MemoryPipe, outgoing: MemoryPipe) {
        self.remote = remote
        self.incoming = incoming
        self.outgoing = outgoing
    }

    deinit { abort() }

    func read(_ handler: @escaping @Sendable (Result<[UInt8]?, TransportError>) -> Void) { incoming.read(handler) }
    func write(_ bytes: [UInt8]) -> WriteAnswer { outgoing.write(bytes) }
    func onRoom(_ handler: @escaping @Sendable () -> Void) { outgoing.onRoom(handler) }
    func finish() { outgoing.finish() }

    func close() {
        outgoing.finish()
        incoming.discard()
    }

    func abort() {
        outgoing.reset()
        incoming.discard()
    }
}
