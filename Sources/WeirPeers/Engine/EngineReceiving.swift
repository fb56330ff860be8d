// Receiving files: into the directory of the first who takes them, under a name that leads nowhere else, and never more
// at once than the window.

import Foundation

extension PeerEngine {
    /// Takes files into a directory until the answer is called. Those who came first are given the files.
    func receive(
        into directory: URL, tell: @escaping @Sendable (FileEvent) -> Void, finish: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let ticket = Ticket()
        run { _, state in
            if ticket.isWithdrawn { return }
            guard state.isOpen else { return finish() }
            state.receivers.append(FileReceiver(ticket: ticket, directory: directory, tell: tell, finish: finish))
        }
        return { [weak self] in
            ticket.withdraw()
            self?.run { engine, state in
                state.receivers.removeAll { $0.ticket === ticket }
                for line in state.lines.values {
                    for (number, transfer) in line.incoming where transfer.receiver.ticket === ticket {
                        engine.refuse(number, transfer, .cancelled, .cancelled, "", on: line, &state)
                    }
                }
            }
        }
    }

    func handleFile(_ frame: Frame, from peer: Peer, on line: Line, _ state: inout State) throws(PeerError) {
        switch frame {
        case .fileOffer(let number, let size, let name): try offered(number, size, name, from: peer, on: line, &state)
        case .filePart(let number, let offset, let bytes): try part(number, offset, bytes, on: line)
        case .fileEnd(let number, let digest): try ended(number, digest, on: line)
        case .fileAccept(let number, let offset, let room):
            try accepted(number, offset: offset, room: room, on: line, &state)
        case .credit(let number, let bytes): try confirmed(number, bytes, on: line, &state)
        case .fileDone(let number): try finished(number, on: line)
        case .fileStop(let number, let reason, let words):
            let error = PeerError(reason, words)
            if isOurs(number, line) { return try stoppedThere(number, error, on: line) }
            guard let transfer = try incoming(number, line) else { return }
            line.incoming[number] = nil
            transfer.fail(error)
        default: break
        }
    }

    /// The dialling side's transfers have odd numbers, the other side's even ones.
    private func isOurs(_ number: UInt32, _ line: Line) -> Bool { (number % 2 == 1) == line.isDialled }

    private func offered(
        _ number: UInt32, _ size: Int, _ name: String, from peer: Peer, on line: Line, _ state: inout State
    ) throws(PeerError) {
        guard !isOurs(number, line), number > line.lastIncoming else {
            throw .protocolViolation("a file with the number \(number), which is not its turn")
        }
        if let fault = FileName.fault(in: name) { throw .protocolViolation("a file name that \(fault)") }
        line.lastIncoming = number
        guard let receiver = state.receivers.first, state.isOpen else {
            return state.send(.fileStop(transfer: number, .refused, "nobody receives files here"), on: line)
        }
        guard line.incoming.count < limits.filesPerPeer else {
            let words = "\(limits.filesPerPeer) files at once are the limit"
            return state.send(.fileStop(transfer: number, .refused, words), on: line)
        }
        let file = IncomingFile(peer: peer, name: name, size: size, number: state.number())
        let transfer = IncomingTransfer(file, receiver, makeWorker())
        line.incoming[number] = transfer
        let id = line.id
        transfer.worker { [directory = receiver.directory, weak self] in
            let opened = Result { () throws(PeerError) in try FileSink(directory, name: name) }
            self?.run { engine, state in
                guard let line = state.lines[id], let transfer = line.incoming[number] else { return }
                engine.opened(opened, number, transfer, on: line, &state)
            }
        }
    }

    private func opened(
        _ result: Result<FileSink, PeerError>, _ number: UInt32, _ transfer: IncomingTransfer, on line: Line,
        _ state: inout State
    ) {
        switch result {
        case .failure(let error):
            refuse(number, transfer, error, .failed, "it cannot be written here", on: line, &state)
        case .success(let sink):
            transfer.sink = sink
            state.send(.fileAccept(transfer: number, offset: 0, room: limits.fileWindow), on: line)
        }
    }

    /// Ends an incoming transfer from this side.
    private func refuse(
        _ number: UInt32, _ transfer: IncomingTransfer, _ error: PeerError, _ reason: StopReason, _ words: String,
        on line: Line, _ state: inout State
    ) {
        line.incoming[number] = nil
        transfer.fail(error)
        state.send(.fileStop(transfer: number, reason, words), on: line)
    }

    private func part(
        _ number: UInt32, _ offset: Int, _ bytes: ArraySlice<UInt8>, on line: Line
    ) throws(PeerError) {
        guard let transfer = try incoming(number, line) else { return }
        guard let sink = transfer.sink, !transfer.isEnding else {
            throw .protocolViolation("bytes of transfer \(number), which was not accepted or is over")
        }
        guard offset == transfer.received, !bytes.isEmpty, bytes.count <= transfer.file.size - offset else {
            throw .protocolViolation(
                "\(bytes.count) bytes at \(offset) of transfer \(number), which has \(transfer.received)")
        }
        transfer.received += bytes.count
        guard transfer.received - transfer.written <= limits.fileWindow else {
            throw .protocolViolation("transfer \(number) sent more than its room")
        }
        let id = line.id
        transfer.worker { [weak self] in
            let failure = sink.write(bytes)
            self?.run { engine, state in
                guard let line = state.lines[id], let transfer = line.incoming[number] else { return }
                engine.wrote(bytes.count, failure, number, transfer, on: line, &state)
            }
        }
    }

    private func wrote(
        _ count: Int, _ failure: PeerError?, _ number: UInt32, _ transfer: IncomingTransfer, on line: Line,
        _ state: inout State
    ) {
        if let failure {
            return refuse(number, transfer, failure, .failed, "it cannot be written here", on: line, &state)
        }
        transfer.written += count
        state.send(.credit(lane: number, bytes: count), on: line)
        transfer.receiver.tell(
            .progress(transfer.file, TransferProgress(bytes: transfer.written, total: transfer.file.size)))
    }

    private func ended(_ number: UInt32, _ digest: [UInt8], on line: Line) throws(PeerError) {
        guard let transfer = try incoming(number, line) else { return }
        guard let sink = transfer.sink, !transfer.isEnding, transfer.received == transfer.file.size else {
            throw .protocolViolation("the end of transfer \(number) after \(transfer.received) bytes")
        }
        transfer.isEnding = true
        let id = line.id
        transfer.worker { [weak self] in
            let result = sink.finish(digest)
            self?.run { engine, state in
                guard let line = state.lines[id], let transfer = line.incoming[number] else { return }
                engine.closed(result, number, transfer, on: line, &state)
            }
        }
    }

    private func closed(
        _ result: Result<URL, FileSink.Failure>, _ number: UInt32, _ transfer: IncomingTransfer, on line: Line,
        _ state: inout State
    ) {
        switch result {
        case .success(let url):
            line.incoming[number] = nil
            state.send(.fileDone(transfer: number), on: line)
            transfer.receiver.tell(.finished(transfer.file, url))
        case .failure(.wrongDigest):
            let error = PeerError(.corrupt, "")
            refuse(number, transfer, error, .corrupt, "", on: line, &state)
        case .failure(.disk(let error)):
            refuse(number, transfer, error, .failed, "it cannot be written here", on: line, &state)
        }
    }

    /// A transfer of the other side; nil where it is over already and the other side could not know.
    private func incoming(_ number: UInt32, _ line: Line) throws(PeerError) -> IncomingTransfer? {
        guard !isOurs(number, line), number <= line.lastIncoming else {
            throw .protocolViolation("transfer \(number), which was not offered")
        }
        return line.incoming[number]
    }

    /// The connection is over, and with it all that it carried.
    func stopTransfers(of line: Line, _ reason: DisconnectReason, _ state: inout State) {
        let error: PeerError = if case .lost(let error) = reason { error } else { .cancelled }
        let outgoing = line.outgoing.sorted { $0.key < $1.key }
        let incoming = line.incoming.sorted { $0.key < $1.key }
        (line.outgoing, line.incoming) = ([:], [:])
        for (_, transfer) in outgoing { transfer.done(.failure(error)) }
        for (_, transfer) in incoming { transfer.fail(error) }
    }
}

extension PeerError {
    /// Why the other side stopped a transfer.
    init(_ reason: StopReason, _ words: String) {
        switch reason {
        case .cancelled: self = .cancelled
        case .refused: self = .declined(words)
        case .failed: self = .io("the other side: \(words)")
        case .corrupt:
            self = .io("the bytes that arrived are not those that were sent: their SHA-256 differs; send again")
        }
    }
}
