// What waits to leave on one line, and in which turn: control frames first, then one frame of messages and one of each
// file in rotation, each within the room that the receiver has granted. No stream, no thread, no clock.

/// The outgoing side of one line.
struct Outbox {
    /// What a message costs of the window beside its bytes, so that empty ones have a bound, too.
    static let messageCost = 64

    private var control: [Frame] = []
    private var messages = Queue<Message>()
    private var awaitingAck = Queue<Message>()
    private var lastNumber: UInt64 = 0
    /// What the messages take that have not left whole.
    private(set) var waiting = 0
    private var credit = 0
    private var files: [FileLane] = []
    private var turn = 0
    /// The most bytes of a message or a file in one frame, so that no frame keeps others waiting for long.
    var part = 128 << 10

    struct Message {
        let ticket: Ticket
        let kind: PeerMessageKind
        var rest: ArraySlice<UInt8>
        let total: Int
        var number: UInt64 = 0
        var cost: Int { total + Outbox.messageCost }
        let done: @Sendable (Result<Void, PeerError>) -> Void
    }

    /// A file on its way: chunks that are read, and the room that the receiver has for them.
    struct FileLane {
        let transfer: UInt32
        var room: Int
        var chunks = Queue<ArraySlice<UInt8>>()
        var offset: Int
        var digest: [UInt8]?
    }

    /// Nothing waits, and everything that left has been acknowledged.
    var isIdle: Bool { control.isEmpty && messages.isEmpty && awaitingAck.isEmpty && files.isEmpty }

    mutating func enqueue(_ frame: Frame) { control.append(frame) }

    /// The receiver has room for that many more bytes of messages.
    mutating func grant(_ bytes: Int) { credit = Swift.min(credit + bytes, 1 << 40) }

    /// The message waits for its turn, unless it would make more than `limit` bytes wait: then false.
    mutating func enqueue(_ message: Message, limit: Int) -> Bool {
        guard waiting <= limit - message.cost else { return false }
        waiting += message.cost
        messages.append(message)
        return true
    }

    /// Takes a message back that has not begun to leave. One that has goes on, and nobody hears of it any more.
    mutating func withdraw(_ ticket: Ticket) {
        let message = messages.removeFirst { $0.ticket === ticket && $0.number == 0 }
        waiting -= message?.cost ?? 0
    }

    /// What an acknowledgement completes; nil where it speaks of what was never sent.
    mutating func acknowledge(_ number: UInt64) -> [Message]? {
        let isLeaving = (messages.first?.number ?? 0) > 0
        guard number <= (isLeaving ? lastNumber - 1 : lastNumber) else { return nil }
        var complete: [Message] = []
        while let first = awaitingAck.first, first.number <= number {
            complete.append(first)
            awaitingAck.popFirst()
        }
        return complete
    }

    /// Everything that has not been acknowledged, for when the line is lost.
    mutating func removeAll() -> [Message] {
        files = []
        waiting = 0
        return awaitingAck.removeAll() + messages.removeAll()
    }

    mutating func addFile(_ transfer: UInt32, offset: Int, room: Int) {
        files.append(FileLane(transfer: transfer, room: room, offset: offset))
    }

    mutating func removeFile(_ transfer: UInt32) { files.removeAll { $0.transfer == transfer } }

    /// Changes one file's lane; false where there is none.
    @discardableResult mutating func withFile(_ transfer: UInt32, _ change: (inout FileLane) -> Void) -> Bool {
        guard let index = files.firstIndex(where: { $0.transfer == transfer }) else { return false }
        change(&files[index])
        return true
    }

    /// How many chunks of a file are read and wait.
    func waitingChunks(_ transfer: UInt32) -> Int {
        files.first { $0.transfer == transfer }?.chunks.count ?? 0
    }

    /// Appends the next frame to `out`; false where nothing may leave now.
    mutating func writeNext(to out: inout [UInt8]) -> Bool {
        if !control.isEmpty {
            for frame in control { frame.write(to: &out) }
            control.removeAll(keepingCapacity: true)
            return true
        }
        // One turn each: 0 is messages, 1… the files.
        for step in 0...files.count {
            let lane = (turn + step) % (files.count + 1)
            guard let frame = lane == 0 ? nextOfMessages() : nextOfFile(lane - 1) else { continue }
            turn = lane + 1
            frame.write(to: &out)
            return true
        }
        return false
    }

    private mutating func nextOfMessages() -> Frame? {
        guard var message = messages.first else { return nil }
        if message.number == 0 {
            guard credit >= Self.messageCost + Swift.min(1, message.total) else { return nil }
            credit -= Self.messageCost
            lastNumber += 1
            message.number = lastNumber
            let bytes = take(from: &message)
            keep(message)
            return .message(number: message.number, kind: message.kind, total: message.total, bytes: bytes)
        }
        guard credit > 0 else { return nil }
        let bytes = take(from: &message)
        keep(message)
        return .more(bytes: bytes)
    }

    private mutating func take(from message: inout Message) -> ArraySlice<UInt8> {
        let bytes = message.rest.prefix(Swift.min(part, credit))
        message.rest = message.rest.dropFirst(bytes.count)
        credit -= bytes.count
        return bytes
    }

    private mutating func keep(_ message: Message) {
        if message.rest.isEmpty {
            messages.popFirst()
            waiting -= message.cost
            awaitingAck.append(message)
        } else {
            messages.replaceFirst(message)
        }
    }

    private mutating func nextOfFile(_ index: Int) -> Frame? {
        let transfer = files[index].transfer
        if let chunk = files[index].chunks.first {
            guard files[index].room >= chunk.count else { return nil }
            files[index].chunks.popFirst()
            files[index].room -= chunk.count
            defer { files[index].offset += chunk.count }
            return .filePart(transfer: transfer, offset: files[index].offset, bytes: chunk)
        }
        guard let digest = files[index].digest else { return nil }
        files.remove(at: index)
        return .fileEnd(transfer: transfer, digest: digest)
    }
}
