// What peers say to each other, one value a frame. On the wire a frame is its length (4 bytes, big-endian, counting what
// follows), its kind (1 byte) and its body. Numbers are big-endian. Texts and bytes at the end of a body need no length.

/// One frame of the wire.
enum Frame: Equatable, Sendable {
    /// The first frame of each side: which versions it speaks, who it is, what it takes.
    case hello(Hello)
    /// The dialling side asks for a connection.
    case invite(context: [UInt8])
    /// Yes to an invitation.
    case accept
    /// No to an invitation, with words for people.
    case decline(String)
    /// The last frame: why the connection ends.
    case bye(Goodbye, String)
    /// Are you there? Answered by a pong with the same number.
    case ping(UInt64)
    case pong(UInt64)
    /// The beginning of a message, or all of it: `total` says how many bytes it has.
    case message(number: UInt64, kind: PeerMessageKind, total: Int, bytes: ArraySlice<UInt8>)
    /// The next bytes of the message that is under way.
    case more(bytes: ArraySlice<UInt8>)
    /// Every message up to this number has arrived whole.
    case ack(UInt64)
    /// The receiver has room for that many more bytes; lane 0 is messages, other lanes are files.
    case credit(lane: UInt32, bytes: Int)
    /// Somebody wants to send a file. The dialling side numbers its transfers 1, 3, 5 …, the other one 2, 4, 6 …
    case fileOffer(transfer: UInt32, size: Int, name: String)
    /// The receiver wants the file from this offset on, and has room for that many bytes.
    case fileAccept(transfer: UInt32, offset: Int, room: Int)
    case filePart(transfer: UInt32, offset: Int, bytes: ArraySlice<UInt8>)
    /// All bytes are sent, and this is their SHA-256.
    case fileEnd(transfer: UInt32, digest: [UInt8])
    /// The receiver has the file, and its SHA-256 is right.
    case fileDone(transfer: UInt32)
    /// Either side gives up on a transfer.
    case fileStop(transfer: UInt32, StopReason, String)
}

/// What the first byte after the length says.
///
/// Numbers that are named here but not yet spoken are reserved: byte streams and droppable messages come later.
enum FrameKind: UInt8, CaseIterable, Sendable {
    case hello = 1, invite, accept, decline, bye, ping, pong
    case message = 16, more, ack, credit
    case fileOffer = 32, fileAccept, filePart, fileEnd, fileDone, fileStop
    case reservedStreamOpen = 48, reservedStreamPart, reservedStreamEnd
    case reservedDroppable = 64
}

/// The first frame of each side.
struct Hello: Equatable, Sendable {
    /// Makes a stray connection of another protocol fail at once.
    static let magic: [UInt8] = Array("WEIR".utf8)
    /// The version that this code speaks.
    static let version: UInt8 = 1

    /// The lowest and the highest version that the sender speaks.
    var lowest = version
    var highest = version
    var peer: Peer
    /// The most bytes that the sender takes in one message, and in all messages that wait.
    var messageLimit: Int
    var window: Int
}

/// Why a connection ends.
enum Goodbye: UInt8, Sendable {
    /// The application said so.
    case closed = 1
    /// Another line between the same peers stays.
    case superseded
    /// The sender of this frame found a fault in what it was told.
    case violation
    /// Too many connections.
    case busy
    /// Nobody answered the invitation in time, or the one who invited gave up.
    case withdrawn
}

/// Why a transfer stops.
enum StopReason: UInt8, Sendable {
    /// Called off by the application.
    case cancelled = 1
    /// Nobody takes files there.
    case refused
    /// The disk or the file failed.
    case failed
    /// The bytes that arrived are not the bytes that were sent.
    case corrupt
}
