// Messages over a connection: out in turn and within the receiver's window, in whole and acknowledged.

import Foundation

extension PeerEngine {
    /// Sends a message; `done` is called when the other side has it whole, or with the reason why not.
    func send(
        _ kind: PeerMessageKind, _ bytes: Data, to peer: Peer,
        _ done: @escaping @Sendable (Result<Void, PeerError>) -> Void
    ) -> @Sendable () -> Void {
        let ticket = Ticket()
        let body = Array(bytes)
        run { engine, state in
            if ticket.isWithdrawn { return }
            guard let line = engine.line(to: peer, state) else { return done(.failure(engine.noLine(to: peer, state))) }
            let limit = min(engine.limits.message, line.messageLimit)
            guard body.count <= limit else {
                return done(.failure(.tooLarge(what: "the message", bytes: body.count, limit: limit)))
            }
            let message = Outbox.Message(ticket: ticket, kind: kind, rest: body[...], total: body.count, done: done)
            guard line.outbox.enqueue(message, limit: engine.limits.queue) else {
                let queue = "what waits for \(peer.name), with this message,"
                let bytes = line.outbox.waiting + message.cost
                return done(.failure(.tooLarge(what: queue, bytes: bytes, limit: engine.limits.queue)))
            }
            state.touch(line)
        }
        return { [weak self] in
            ticket.withdraw()
            self?.run { _, state in state.connected[peer.id]?.outbox.withdraw(ticket) }
        }
    }

    /// The connection for new work; there is none once the session drains.
    func line(to peer: Peer, _ state: State) -> Line? { state.isOpen ? state.connected[peer.id] : nil }

    /// Why there is no connection for new work.
    func noLine(to peer: Peer, _ state: State) -> PeerError { state.isOpen ? .notConnected(peer) : Self.closed }

    /// What a session says to new work once it drains.
    static let closed = PeerError.unavailable("this session is closed and takes no new work; make another one")

    /// Every frame goes through here.
    func handle(_ frame: Frame, on line: Line, _ state: inout State) throws(PeerError) {
        guard case .connected(let peer) = line.stage else { return try shake(frame, on: line, &state) }
        switch frame {
        case .ping(let number): state.send(.pong(number), on: line)
        case .pong: break
        case .message(let number, let kind, let total, let bytes):
            if let whole = try line.inbox.begin(number, kind, total, bytes) { deliver(whole, from: peer, line) }
        case .more(let bytes):
            if let whole = try line.inbox.more(bytes) { deliver(whole, from: peer, line) }
        case .ack(let number):
            guard let complete = line.outbox.acknowledge(number) else {
                throw .protocolViolation("an acknowledgement of message \(number), which was not sent")
            }
            for message in complete { message.done(.success(())) }
        case .credit(lane: 0, let bytes): line.outbox.grant(bytes)
        case .bye(let reason, let words): goodbye(reason, words, line, &state)
        case .fileOffer, .fileAccept, .filePart, .fileEnd, .fileDone, .fileStop, .credit:
            try handleFile(frame, from: peer, on: line, &state)
        case .hello, .invite, .accept, .decline:
            throw .protocolViolation("a frame out of turn on a connection: \(frame.kind)")
        }
    }

    private func deliver(_ whole: MessageInbox.Whole, from peer: Peer, _ line: Line) {
        line.arrived = whole.number
        let id = line.id
        let cost = whole.cost
        reports.received(
            IncomingMessage(peer: peer, kind: whole.kind, bytes: Data(whole.bytes)) { [weak self] in
                self?.run { _, state in
                    guard let line = state.lines[id], let room = line.inbox.release(cost) else { return }
                    state.send(.credit(lane: 0, bytes: room), on: line)
                }
            })
    }

    private func goodbye(_ reason: Goodbye, _ words: String, _ line: Line, _ state: inout State) {
        let why: DisconnectReason =
            switch reason {
            case .superseded: .replaced
            case .violation: .lost(.protocolViolation("this side, says \(line.name): \(words)"))
            case .closed, .busy, .withdrawn: .closedThere
            }
        drop(line, .closed, "", why, &state)
    }
}
