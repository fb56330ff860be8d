// The one engine behind every session: it owns the lines, shakes hands, and carries messages and files. It knows neither
// TCP nor streams of the core: bytes come through `ByteStream`, what happens goes out through `Reports`.

import Foundation
import WeirTransport

/// What the engine tells; each closure is called from a step, one at a time, without any lock.
struct Reports: Sendable {
    var changed: @Sendable (ConnectionChange, [Connection]) -> Void
    var invited: @Sendable (Invitation) -> Void
    var received: @Sendable (IncomingMessage) -> Void
    var failed: @Sendable (PeerError) -> Void
    var closed: @Sendable () -> Void
}

/// How lines come about: dialling ends exactly once, unless it is cancelled through what it returns.
typealias Dial =
    @Sendable (Endpoint, Duration, @escaping @Sendable (Result<any ByteStream, PeerError>) -> Void)
    -> @Sendable () -> Void

/// Where work on the disk runs, in order; one place for each transfer.
typealias MakeWorker = @Sendable () -> @Sendable (@escaping @Sendable () -> Void) -> Void

final class PeerEngine: Sendable {
    let local: Peer
    let limits: PeerLimits
    let time: Timekeeper
    let dial: Dial
    let makeWorker: MakeWorker
    let reports: Reports
    private let sequencer: Sequencer<State>

    struct State {
        var lines: [Int: Line] = [:]
        var connected: [Peer.ID: Line] = [:]
        var wishes: [Int: Wish] = [:]
        var receivers: [FileReceiver] = []
        var isAdvertising = false
        var closing = Closing.no
        var lastNumber = 0
        /// Lines with something new to write.
        var dirty: [Line] = []

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }

        var connections: [Connection] {
            connected.values.compactMap(\.connection).sorted { $0.number < $1.number }
        }
    }

    enum Closing {
        case no
        case draining([@Sendable () -> Void])
        case closed
    }

    init(
        local: Peer, limits: PeerLimits, time: Timekeeper, reports: Reports, makeWorker: @escaping MakeWorker,
        dial: @escaping Dial
    ) {
        self.local = local
        self.limits = limits
        self.time = time
        self.reports = reports
        self.makeWorker = makeWorker
        self.dial = dial
        sequencer = Sequencer(State())
    }

    func run(_ step: @escaping @Sendable (PeerEngine, inout State) -> Void) {
        sequencer.run({ step(self, &$0) }, settle: { self.settle(&$0) })
    }

    /// For what waits elsewhere: it does not keep the engine alive.
    func later(_ delay: Duration, _ step: @escaping @Sendable (PeerEngine, inout State) -> Void) -> ScheduledWork {
        time.after(delay) { [weak self] in self?.run(step) }
    }

    func setAdvertising(_ isOn: Bool) {
        run { engine, state in
            state.isAdvertising = isOn && !state.isClosed
            if isOn { return }
            for line in state.lines.values where !line.isDialled && !line.isConnected {
                engine.end(line, .withdrawn, "no longer advertising", &state)
            }
        }
    }

    /// Ends the connection to a peer, politely.
    func disconnect(_ peer: Peer) {
        run { engine, state in
            guard let line = state.connected[peer.id] else { return }
            engine.drop(line, .closed, "", .closedHere, &state)
        }
    }

    /// Takes no new work, waits until what is under way has arrived or `time` is over, and ends everything.
    func close(within time: Duration, _ done: @escaping @Sendable () -> Void) {
        run { engine, state in
            switch state.closing {
            case .closed: return done()
            case .draining(let waiting): state.closing = .draining(waiting + [done])
            case .no:
                state.closing = .draining([done])
                state.isAdvertising = false
                for wish in state.wishes.values { engine.fail(wish.id, .cancelled, &state) }
            }
            guard time > .zero else { return engine.cut(&state) }
            _ = engine.later(time) { engine, state in engine.cut(&state) }
        }
    }

    /// Ends everything, now.
    func cut(_ state: inout State) {
        guard !state.isClosed else { return }
        var waiting: [@Sendable () -> Void] = []
        if case .draining(let all) = state.closing { waiting = all }
        state.closing = .closed
        state.isAdvertising = false
        for wish in state.wishes.values { fail(wish.id, .cancelled, &state) }
        for line in state.lines.values.sorted(by: { $0.id < $1.id }) {
            if line.isConnected {
                drop(line, .closed, "", .closedHere, &state)
            } else {
                end(line, .withdrawn, "", &state)
            }
        }
        let receivers = state.receivers
        state.receivers = []
        for receiver in receivers { receiver.finish() }
        reports.closed()
        for done in waiting { done() }
    }
}

extension PeerEngine.State {
    var isClosed: Bool { if case .closed = closing { true } else { false } }
    var isOpen: Bool { if case .no = closing { true } else { false } }
    var isIdle: Bool { lines.values.allSatisfy { !$0.isConnected || $0.isIdle } }

    mutating func touch(_ line: Line) {
        if dirty.last !== line { dirty.append(line) }
    }

    mutating func send(_ frame: Frame, on line: Line) {
        line.outbox.enqueue(frame)
        touch(line)
    }
}

// MARK: - Writing

extension PeerEngine {
    /// One write carries up to this many bytes.
    private static let batch = 256 << 10

    /// What several steps are better served by at once: one write for all that they have to say.
    private func settle(_ state: inout State) {
        while let line = state.dirty.popLast() {
            guard !line.isGone else { continue }
            Self.flush(line)
            readAhead(line)
        }
        if case .draining = state.closing, state.isIdle { cut(&state) }
    }

    /// Writes what may leave, as long as the stream has room.
    static func flush(_ line: Line) {
        line.acknowledge()
        while line.hasRoom {
            var bytes: [UInt8] = []
            while bytes.count < batch, line.outbox.writeNext(to: &bytes) {}
            if bytes.isEmpty { return }
            switch line.stream.write(bytes) {
            case .room: break
            case .full, .closed: line.hasRoom = false
            }
        }
    }
}
