// From a wish to a connection. The dialling side says hello, the other one answers, the dialling side invites, the other
// one accepts or declines. Where both dial at once, the line dialled by the greater id stays (as BGP, RFC 4271 §6.8).

import Foundation
import WeirTransport

extension PeerEngine {
    /// Wants a connection. `done` is called once, unless the wish is withdrawn through what this returns.
    func connect(
        _ target: Wish.Target, context: Data, timeout: Duration,
        _ done: @escaping @Sendable (Result<Connection, PeerError>) -> Void
    ) -> @Sendable () -> Void {
        let ticket = Ticket()
        run { engine, state in
            if ticket.isWithdrawn { return }
            guard context.count <= engine.limits.context else {
                return done(
                    .failure(.tooLarge(what: "the context", bytes: context.count, limit: engine.limits.context)))
            }
            guard state.isOpen else { return done(.failure(Self.closed)) }
            engine.add(target, Array(context), timeout, ticket, done, &state)
        }
        return { [weak self] in
            ticket.withdraw()
            self?.run { engine, state in engine.withdraw(ticket, &state) }
        }
    }

    private func add(
        _ target: Wish.Target, _ context: [UInt8], _ timeout: Duration, _ ticket: Ticket,
        _ done: @escaping @Sendable (Result<Connection, PeerError>) -> Void, _ state: inout State
    ) {
        if let peer = target.peer {
            if peer == local { return done(.failure(.unreachable("\(peer.name) is this peer itself"))) }
            if let line = state.connected[peer.id], let connection = line.connection {
                return done(.success(connection))
            }
        }
        let timer = later(timeout) { engine, state in
            engine.remove(ticket, .timedOut("\(target.name) did not answer within \(timeout)"), &state)
        }
        let waiter = Wish.Waiter(ticket: ticket, done: done, timer: timer)
        if let peer = target.peer {
            if let same = state.wishes.values.first(where: { $0.target.peer == peer || known($0) == peer }) {
                state.wishes[same.id]?.waiters.append(waiter)
                return
            }
        }
        var wish = Wish(id: state.number(), target: target, context: context)
        wish.waiters = [waiter]
        state.wishes[wish.id] = wish
        // To want somebody who has asked already is to say yes.
        if let peer = target.peer, let asking = waitingLine(from: peer, state) { return accept(asking, &state) }
        guard let endpoint = target.endpoint else {
            let what = "\(target.name) is not nearby; browse for it, or connect by host and port"
            return fail(wish.id, .unreachable(what), &state)
        }
        startDialling(wish.id, endpoint, timeout, &state)
    }

    private func startDialling(_ id: Int, _ endpoint: Endpoint, _ timeout: Duration, _ state: inout State) {
        state.wishes[id]?.cancelDialling = dial(endpoint, timeout) { [weak self] result in
            self?.run { engine, state in engine.dialled(id, result, &state) }
        }
    }

    private func dialled(_ id: Int, _ result: Result<any ByteStream, PeerError>, _ state: inout State) {
        guard state.wishes[id] != nil else {
            if case .success(let stream) = result { stream.abort() }
            return
        }
        state.wishes[id]?.cancelDialling = nil
        switch result {
        case .failure(let error): fail(id, error, &state)
        case .success(let stream):
            let line = begin(stream, isDialled: true, &state)
            line.wish = id
            state.wishes[id]?.line = line.id
        }
    }

    // MARK: - Frames of the handshake

    /// Frames before there is a connection; anything out of turn breaks the protocol.
    func shake(_ frame: Frame, on line: Line, _ state: inout State) throws(PeerError) {
        switch (line.stage, frame) {
        case (.hello, .hello(let hello)): try greet(hello, on: line, &state)
        case (.greeted(let peer), .invite(let context)) where !line.isDialled: invited(peer, context, line, &state)
        case (.inviting, .accept): connected(line, &state)
        case (.inviting, .decline(let words)):
            let wish = line.wish
            end(line, .closed, "", &state)
            fail(wish, .declined(words), &state)
        case (_, .bye(let reason, let words)): leave(reason, words, line, &state)
        default: throw .protocolViolation("a frame out of turn while shaking hands: \(frame.kind)")
        }
    }

    private func greet(_ hello: Hello, on line: Line, _ state: inout State) throws(PeerError) {
        let peer = hello.peer
        guard hello.window >= Outbox.messageCost + 1, hello.messageLimit >= 1 else {
            throw .protocolViolation("a window of \(hello.window) bytes, in which no message fits")
        }
        line.messageLimit = hello.messageLimit
        line.outbox.grant(hello.window)
        line.reader.limit = max(limits.hello, limits.context + 16)
        line.stage = .greeted(peer)
        setDeadline(line, limits.handshakeTime) { engine, line, state in
            engine.lose(line, .timedOut("\(line.name) did not finish the handshake"), &state)
        }
        if peer.id == local.id {
            let wish = line.wish
            end(line, .closed, "that is this peer itself", &state)
            return fail(wish, .unreachable("\(line.stream.remote) is this peer itself"), &state)
        }
        if line.isDialled { met(peer, line, &state) } else { state.send(.hello(self.hello), on: line) }
    }

    /// The one who was dialled has said who it is.
    private func met(_ peer: Peer, _ line: Line, _ state: inout State) {
        guard let id = line.wish, let wish = state.wishes[id] else { return end(line, .withdrawn, "", &state) }
        state.wishes[id]?.met = peer
        if let expected = wish.target.peer, expected != peer {
            end(line, .closed, "another peer was expected", &state)
            let found = "\(line.stream.remote) is \(peer.name) (\(peer.id))"
            return fail(id, .unreachable("\(found), not \(expected.name) (\(expected.id))"), &state)
        }
        if let connection = state.connected[peer.id]?.connection {
            end(line, .superseded, "", &state)
            return fulfil(id, connection, &state)
        }
        if let asking = waitingLine(from: peer, state) {
            end(line, .superseded, "", &state)
            return accept(asking, &state)
        }
        if let other = state.wishes.values.first(where: { $0.id != id && known($0) == peer }) {
            state.wishes[id] = nil
            state.wishes[other.id]?.waiters += wish.waiters
            return end(line, .superseded, "", &state)
        }
        line.stage = .inviting(peer)
        line.deadline?.cancel()  // those who wait have a time of their own
        state.send(.invite(context: wish.context), on: line)
    }

    private func invited(_ peer: Peer, _ context: [UInt8], _ line: Line, _ state: inout State) {
        if let older = waitingLine(from: peer, state) { end(older, .superseded, "", &state) }
        if let wish = wishes(for: peer, state).first {
            let own = wish.line.flatMap { state.lines[$0] }
            if let own, case .inviting = own.stage, local.id > peer.id {
                line.deadline?.cancel()
                line.stage = .parked(peer)
                line.context = context
            } else {
                accept(line, &state)
            }
            return
        }
        ask(peer, context, line)
    }

    private func ask(_ peer: Peer, _ context: [UInt8], _ line: Line) {
        line.stage = .asking(peer)
        let id = line.id
        setDeadline(line, limits.invitationTime) { engine, line, state in
            engine.decline(line, "nobody answered within \(engine.limits.invitationTime)", &state)
        }
        reports.invited(
            Invitation(peer: peer, context: Data(context)) { [weak self] answer in
                self?.run { engine, state in
                    guard let line = state.lines[id], case .asking = line.stage else { return }
                    switch answer {
                    case .accept: engine.accept(line, &state)
                    case .decline(let words): engine.decline(line, words, &state)
                    }
                }
            })
    }

    private func decline(_ line: Line, _ words: String, _ state: inout State) {
        state.send(.decline(String(decoding: words.utf8.prefix(1024), as: UTF8.self)), on: line)
        end(line, .closed, "", &state)
    }

    func accept(_ line: Line, _ state: inout State) {
        state.send(.accept, on: line)
        connected(line, &state)
    }

    // MARK: - The connection

    private func connected(_ line: Line, _ state: inout State) {
        guard let peer = line.peer else { return }
        if let ghost = state.connected[peer.id] { drop(ghost, .superseded, "", .replaced, &state) }
        let connection = Connection(peer: peer, isOutgoing: line.isDialled, number: state.number())
        line.connection = connection
        line.stage = .connected(peer)
        line.reader.limit = limits.frame
        line.lastHeard = time.now()
        state.connected[peer.id] = line
        watch(line)
        let wishes = wishes(for: peer, state)
        for other in state.lines.values where other !== line && other.peer == peer && !other.isConnected {
            end(other, .superseded, "", &state)
        }
        reports.changed(.connected(connection), state.connections)
        for wish in wishes { fulfil(wish.id, connection, &state) }
    }

    private func leave(_ reason: Goodbye, _ words: String, _ line: Line, _ state: inout State) {
        let wish = line.wish
        end(line, .closed, "", &state)
        guard let wish, state.wishes[wish] != nil else { return }
        state.wishes[wish]?.line = nil
        switch reason {
        case .superseded: break  // the other side's own line is on its way, or those who wait run out of time
        case .busy: fail(wish, .unreachable("\(line.stream.remote) is busy: \(words)"), &state)
        case .violation: fail(wish, .protocolViolation("this side, says \(line.name): \(words)"), &state)
        case .closed, .withdrawn: fail(wish, .declined(words), &state)
        }
    }

    // MARK: - Wishes

    private func fulfil(_ id: Int, _ connection: Connection, _ state: inout State) {
        guard let wish = state.wishes.removeValue(forKey: id) else { return }
        retire(wish, &state)
        for waiter in wish.waiters {
            waiter.timer.cancel()
            waiter.done(.success(connection))
        }
    }

    func fail(_ id: Int?, _ error: PeerError, _ state: inout State) {
        guard let id, let wish = state.wishes.removeValue(forKey: id) else { return }
        retire(wish, &state)
        for waiter in wish.waiters {
            waiter.timer.cancel()
            waiter.done(.failure(error))
        }
    }

    private func withdraw(_ ticket: Ticket, _ state: inout State) { remove(ticket, nil, &state) }

    /// Takes one of those who wait away; without anybody who waits there is no wish.
    private func remove(_ ticket: Ticket, _ error: PeerError?, _ state: inout State) {
        for wish in state.wishes.values {
            guard let index = wish.waiters.firstIndex(where: { $0.ticket === ticket }) else { continue }
            let waiter = wish.waiters[index]
            waiter.timer.cancel()
            state.wishes[wish.id]?.waiters.remove(at: index)
            if wish.waiters.count == 1, let last = state.wishes.removeValue(forKey: wish.id) {
                let parked = parkedLine(for: last, state)
                retire(last, &state)
                // The other side asks still: now it is the application's to say.
                if let parked, let peer = parked.peer { ask(peer, parked.context, parked) }
            }
            if let error { waiter.done(.failure(error)) }
            return
        }
    }

    /// Ends what still serves a wish that is over.
    private func retire(_ wish: Wish, _ state: inout State) {
        wish.cancelDialling?()
        guard let line = wish.line.flatMap({ state.lines[$0] }), !line.isConnected else { return }
        line.wish = nil
        end(line, .withdrawn, "", &state)
    }

    /// Who a wish is for, as far as that is known.
    private func known(_ wish: Wish) -> Peer? {
        wish.target.peer ?? wish.met
    }

    private func wishes(for peer: Peer, _ state: State) -> [Wish] {
        state.wishes.values.filter { known($0) == peer }
    }

    private func waitingLine(from peer: Peer, _ state: State) -> Line? {
        state.lines.values.first { if case .asking(peer) = $0.stage { true } else { false } }
    }

    func parkedLine(for wish: Wish, _ state: State) -> Line? {
        guard let peer = known(wish) else { return nil }
        return state.lines.values.first { if case .parked(peer) = $0.stage { true } else { false } }
    }
}

/// Names one who waits, and remembers that it has gone before its step ran.
final class Ticket: Sendable {
    private let withdrawn = Lock(false)
    var isWithdrawn: Bool { withdrawn.withLock { $0 } }
    func withdraw() { withdrawn.withLock { $0 = true } }
}
