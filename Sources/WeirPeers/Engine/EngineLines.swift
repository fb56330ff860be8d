// How lines begin, read and end. Ending is always the same: say why, let it leave, close, and tell whoever waits.

import Foundation
import WeirTransport

extension PeerEngine {
    /// How long a line that has said goodbye may take to go.
    private static let linger = Duration.seconds(2)

    /// A line that somebody else has dialled.
    func arrived(_ stream: any ByteStream) {
        run { engine, state in
            guard state.isAdvertising else { return stream.abort() }
            let pending = state.lines.values.filter { !$0.isDialled && $0.isShakingHands }.count
            let same = state.lines.values.filter { $0.stream.remote.host == stream.remote.host }.count
            guard pending < engine.limits.pendingHandshakes, same < engine.limits.connectionsPerAddress else {
                _ = stream.write(Frame.bye(.busy, "too many connections").bytes)
                engine.goAway(stream)
                return
            }
            engine.begin(stream, isDialled: false, &state)
        }
    }

    @discardableResult
    func begin(_ stream: any ByteStream, isDialled: Bool, _ state: inout State) -> Line {
        let line = Line(state.number(), stream, isDialled: isDialled, limits, now: time.now())
        state.lines[line.id] = line
        let id = line.id
        stream.onRoom { [weak self] in
            self?.run { _, state in
                guard let line = state.lines[id] else { return }
                line.hasRoom = true
                state.touch(line)
            }
        }
        setDeadline(line, limits.helloTime) { engine, line, state in
            let time = engine.limits.helloTime
            engine.lose(line, .timedOut("\(line.name) did not say who it is within \(time)"), &state)
        }
        if isDialled { state.send(.hello(hello), on: line) }
        read(line)
        return line
    }

    var hello: Hello { Hello(peer: local, messageLimit: limits.message, window: limits.window) }

    /// A line does one waiting at a time: a new deadline takes the place of the old one.
    func setDeadline(
        _ line: Line, _ delay: Duration, _ act: @escaping @Sendable (PeerEngine, Line, inout State) -> Void
    ) {
        line.deadline?.cancel()
        let id = line.id
        line.deadline = later(delay) { engine, state in
            if let line = state.lines[id] { act(engine, line, &state) }
        }
    }

    private func read(_ line: Line) {
        let id = line.id
        line.stream.read { [weak self] result in
            self?.run { engine, state in
                guard let line = state.lines[id] else { return }
                engine.took(result, on: line, &state)
            }
        }
    }

    private func took(_ result: Result<[UInt8]?, TransportError>, on line: Line, _ state: inout State) {
        do throws(PeerError) {
            switch result {
            case .success(let bytes?):
                line.lastHeard = time.now()
                line.reader.feed(bytes)
                while !line.isGone, let frame = try line.reader.next() { try handle(frame, on: line, &state) }
            case .success(nil):
                try line.reader.finish()
                throw .io("the connection to \(line.name) ended without a goodbye")
            case .failure(let error): throw PeerError(error)
            }
        } catch {
            return stumble(line, error, &state)
        }
        if line.isGone { return }
        state.touch(line)
        read(line)
    }

    /// What the other side sent, or the way to it, is broken.
    private func stumble(_ line: Line, _ error: PeerError, _ state: inout State) {
        guard case .protocolViolation(let what) = error else { return lose(line, error, &state) }
        let named = PeerError.protocolViolation("\(line.name): \(what)")
        reports.failed(named)
        if line.isConnected {
            drop(line, .violation, what, .lost(named), &state)
        } else {
            let wish = line.wish
            end(line, .violation, what, &state)
            fail(wish, named, &state)
        }
    }

    /// The line is of no use any more; there is nobody to say goodbye to.
    func lose(_ line: Line, _ error: PeerError, _ state: inout State) {
        if line.isConnected { return drop(line, .closed, "", .lost(error), &state) }
        end(line, .withdrawn, "", &state)
        guard let wish = line.wish.flatMap({ state.wishes[$0] }) else { return }
        // The other side's own line, if it has dialled too, may still do.
        if let other = parkedLine(for: wish, state) { accept(other, &state) } else { fail(wish.id, error, &state) }
    }

    /// Ends a line that has not become a connection.
    func end(_ line: Line, _ reason: Goodbye, _ words: String, _ state: inout State) {
        guard !line.isGone else { return }
        state.lines[line.id] = nil
        line.deadline?.cancel()
        line.acknowledge()
        line.outbox.enqueue(.bye(reason, String(decoding: words.utf8.prefix(1024), as: UTF8.self)))
        line.hasRoom = true
        Self.flush(line)
        line.stage = .gone
        goAway(line.stream)
    }

    /// Ends a connection and tells everybody who waits on it.
    func drop(_ line: Line, _ goodbye: Goodbye, _ words: String, _ reason: DisconnectReason, _ state: inout State) {
        guard case .connected(let peer) = line.stage else { return }
        if state.connected[peer.id] === line { state.connected[peer.id] = nil }
        let messages = line.outbox.removeAll()
        stopTransfers(of: line, reason, &state)
        end(line, goodbye, words, &state)
        let error: PeerError = if case .lost(let error) = reason { error } else { .notConnected(peer) }
        for message in messages { message.done(.failure(error)) }
        reports.changed(.disconnected(Disconnection(peer: peer, reason: reason)), state.connections)
    }

    private func goAway(_ stream: any ByteStream) {
        stream.close()
        // A peer that has stalled would never let it go. A stream that still has something to say keeps itself.
        _ = time.after(Self.linger) { [weak stream] in stream?.abort() }
    }

    // MARK: - Heartbeat

    /// Asks a silent peer whether it lives, at each interval; after three of them it is lost.
    func watch(_ line: Line) {
        let beat = limits.heartbeat
        guard beat > .zero else {
            line.deadline?.cancel()
            return
        }
        let silence = time.now() - line.lastHeard
        let next = beat * Double(Int(silence / beat) + 1) - silence
        setDeadline(line, next) { engine, line, state in
            let silence = engine.time.now() - line.lastHeard
            if silence >= beat * 3 {
                return engine.lose(
                    line, .timedOut("\(line.peer?.name ?? line.name) has been silent for \(silence)"), &state)
            }
            if silence >= beat { state.send(.ping(UInt64(state.number())), on: line) }
            engine.watch(line)
        }
    }
}

extension PeerError {
    /// A fault of the transport, in the words of peers.
    init(_ error: TransportError) {
        switch error {
        case .unreachable, .unknownHost: self = .unreachable("\(error)")
        case .timedOut: self = .timedOut("\(error)")
        case .addressInUse(let endpoint): self = .nameTaken("port \(endpoint.port) on \(endpoint.host)")
        case .cannotListen, .broken: self = .io("\(error)")
        case .cancelled: self = .cancelled
        }
    }
}
