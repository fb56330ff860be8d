// What arrives in pieces on one line becomes messages. It checks every number that the other side says, and keeps the
// account of the window: what has arrived and nobody has taken yet.

/// The incoming side of one line's messages.
struct MessageInbox {
    private let window: Int
    private let messageLimit: Int
    private var last: UInt64 = 0
    private var open: (kind: PeerMessageKind, total: Int, bytes: [UInt8])?
    /// Bytes that count against the window now.
    private(set) var held = 0
    /// Bytes that were taken and have not been granted again yet.
    private var freed = 0

    init(_ limits: PeerLimits) {
        window = limits.window
        messageLimit = limits.message
    }

    /// A message that is whole.
    struct Whole {
        let number: UInt64
        let kind: PeerMessageKind
        let bytes: ArraySlice<UInt8>
        var cost: Int { bytes.count + Outbox.messageCost }
    }

    /// The beginning of a message, or all of it.
    mutating func begin(
        _ number: UInt64, _ kind: PeerMessageKind, _ total: Int, _ bytes: ArraySlice<UInt8>
    ) throws(PeerError) -> Whole? {
        guard open == nil else { throw .protocolViolation("message \(number) begins inside message \(last)") }
        guard number == last + 1 else { throw .protocolViolation("message \(number) after message \(last)") }
        guard total <= messageLimit else {
            throw .protocolViolation("a message of \(total) bytes, the limit is \(messageLimit)")
        }
        last = number
        try hold(Outbox.messageCost)
        open = (kind, total, [])
        return try add(bytes)
    }

    /// The next bytes of the message under way.
    mutating func more(_ bytes: ArraySlice<UInt8>) throws(PeerError) -> Whole? {
        guard open != nil else { throw .protocolViolation("more of a message, and none has begun") }
        guard !bytes.isEmpty else { throw .protocolViolation("more of message \(last), without a byte") }
        return try add(bytes)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(PeerError) -> Whole? {
        guard let kind = open?.kind, let total = open?.total, let before = open?.bytes.count else { return nil }
        guard before + bytes.count <= total else {
            throw .protocolViolation("message \(last) has more than the \(total) bytes that it speaks of")
        }
        try hold(bytes.count)
        let isWhole = before + bytes.count == total
        if isWhole, before == 0 {
            open = nil
            return Whole(number: last, kind: kind, bytes: bytes)
        }
        if before == 0 { open?.bytes.reserveCapacity(total) }
        open?.bytes.append(contentsOf: bytes)
        guard isWhole, let all = open?.bytes else { return nil }
        open = nil
        return Whole(number: last, kind: kind, bytes: all[...])
    }

    private mutating func hold(_ count: Int) throws(PeerError) {
        held += count
        guard held <= window else {
            throw .protocolViolation("more than the \(window) bytes of messages that may wait here")
        }
    }

    /// A message was taken: answers what to grant again, once a quarter of the window is free.
    mutating func release(_ cost: Int) -> Int? {
        held -= cost
        freed += cost
        guard freed >= window / 4 else { return nil }
        defer { freed = 0 }
        return freed
    }
}
