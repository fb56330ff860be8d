// Sending files: an offer, then chunks within the room that the receiver grants as it writes them, then the hash.

import Foundation

extension PeerEngine {
    /// Sends a file; `done` is called when the receiver has it whole and verified, or with the reason why not.
    func send(
        file url: URL, name: String, to peer: Peer, progress: @escaping @Sendable (TransferProgress) -> Void,
        _ done: @escaping @Sendable (Result<Void, PeerError>) -> Void
    ) -> @Sendable () -> Void {
        let ticket = Ticket()
        let worker = makeWorker()
        worker {
            let opened = Result { () throws(PeerError) in try FileSource(url) }
            self.run { engine, state in
                if ticket.isWithdrawn { return }
                switch opened {
                case .failure(let error): done(.failure(error))
                case .success(let source):
                    let transfer = OutgoingTransfer(ticket, source, worker, progress: progress, done: done)
                    engine.offer(transfer, name, to: peer, &state)
                }
            }
        }
        return { [weak self] in
            ticket.withdraw()
            self?.run { engine, state in engine.withdraw(ticket, to: peer, &state) }
        }
    }

    private func offer(_ transfer: OutgoingTransfer, _ name: String, to peer: Peer, _ state: inout State) {
        if let fault = FileName.fault(in: name) {
            return transfer.done(.failure(.malformed("the file name “\(name)” \(fault)")))
        }
        guard let line = line(to: peer, state) else { return transfer.done(.failure(noLine(to: peer, state))) }
        let number = line.nextOutgoing
        line.nextOutgoing += 2
        line.outgoing[number] = transfer
        state.send(.fileOffer(transfer: number, size: transfer.source.size, name: name), on: line)
    }

    private func withdraw(_ ticket: Ticket, to peer: Peer, _ state: inout State) {
        guard let line = state.connected[peer.id],
            let number = line.outgoing.first(where: { $0.value.ticket === ticket })?.key
        else { return }
        stop(number, on: line, .cancelled, "", &state)
    }

    /// Gives up an outgoing transfer and tells the receiver.
    private func stop(
        _ number: UInt32, on line: Line, _ reason: StopReason, _ words: String, _ state: inout State
    ) {
        line.outgoing[number] = nil
        line.outbox.removeFile(number)
        state.send(.fileStop(transfer: number, reason, String(words.prefix(200))), on: line)
    }

    // MARK: - What the receiver says

    func accepted(_ number: UInt32, offset: Int, room: Int, on line: Line, _ state: inout State) throws(PeerError) {
        guard let transfer = try outgoing(number, line) else { return }
        guard transfer.chunk == 0, offset == 0, room > 0 else {
            throw .protocolViolation("transfer \(number) was accepted twice, in the middle, or without room")
        }
        transfer.chunk = min(limits.fileChunk, room, limits.frame - 64)
        line.outbox.addFile(number, offset: 0, room: room)
        transfer.report()
        state.touch(line)
    }

    func confirmed(_ number: UInt32, _ bytes: Int, on line: Line, _ state: inout State) throws(PeerError) {
        guard let transfer = try outgoing(number, line) else { return }
        guard bytes > 0, bytes <= transfer.source.size - transfer.confirmed else {
            throw .protocolViolation("transfer \(number) got room for more bytes than the file has")
        }
        transfer.confirmed += bytes
        line.outbox.withFile(number) { $0.room += bytes }
        transfer.report()
        state.touch(line)
    }

    func finished(_ number: UInt32, on line: Line) throws(PeerError) {
        guard let transfer = try outgoing(number, line) else { return }
        guard transfer.isRead, transfer.confirmed == transfer.source.size else {
            throw .protocolViolation("transfer \(number) is done there before it was sent")
        }
        line.outgoing[number] = nil
        transfer.done(.success(()))
    }

    /// The receiver gave up.
    func stoppedThere(_ number: UInt32, _ error: PeerError, on line: Line) throws(PeerError) {
        guard let transfer = try outgoing(number, line) else { return }
        line.outgoing[number] = nil
        line.outbox.removeFile(number)
        transfer.done(.failure(error))
    }

    /// A transfer of ours; nil where it is over already and the other side could not know.
    private func outgoing(_ number: UInt32, _ line: Line) throws(PeerError) -> OutgoingTransfer? {
        guard number < line.nextOutgoing else { throw .protocolViolation("transfer \(number), which was not offered") }
        return line.outgoing[number]
    }

    // MARK: - Reading ahead

    /// Keeps two chunks of each file ready, so that neither the disk nor the line waits for the other.
    func readAhead(_ line: Line) {
        for (number, transfer) in line.outgoing
        where transfer.chunk > 0 && !transfer.isReading && !transfer.isRead && line.outbox.waitingChunks(number) < 2 {
            transfer.isReading = true
            let id = line.id
            transfer.worker { [source = transfer.source, chunk = transfer.chunk, weak self] in
                let next = source.next(chunk)
                self?.run { engine, state in
                    guard let line = state.lines[id], let transfer = line.outgoing[number] else { return }
                    transfer.isReading = false
                    engine.took(next, number, transfer, line, &state)
                }
            }
        }
    }

    private func took(
        _ next: Result<FileSource.Chunk, PeerError>, _ number: UInt32, _ transfer: OutgoingTransfer, _ line: Line,
        _ state: inout State
    ) {
        switch next {
        case .failure(let error):
            stop(number, on: line, .failed, "the file cannot be read any more", &state)
            transfer.done(.failure(error))
        case .success(let chunk):
            transfer.isRead = chunk.digest != nil
            line.outbox.withFile(number) { lane in
                if !chunk.bytes.isEmpty { lane.chunks.append(chunk.bytes[...]) }
                lane.digest = chunk.digest
            }
            state.touch(line)
        }
    }
}
