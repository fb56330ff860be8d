// From the bytes of one whole frame to its value. Whatever the bytes are, the answer is a frame or an error value.

extension Frame {
    /// A frame from what follows its length: kind and body.
    init(body: ArraySlice<UInt8>) throws(PeerError) {
        guard let code = body.first, let kind = FrameKind(rawValue: code) else {
            throw .protocolViolation("a frame of the unknown kind \(body.first ?? 0)")
        }
        var cursor = FrameCursor(kind: kind, rest: body.dropFirst())
        self = try Frame(kind, from: &cursor)
        try cursor.end()
    }

    private init(_ kind: FrameKind, from body: inout FrameCursor) throws(PeerError) {
        switch kind {
        case .hello: self = .hello(try Hello(from: &body))
        case .invite: self = .invite(context: Array(body.tail()))
        case .accept: self = .accept
        case .decline: self = .decline(try body.words())
        case .bye: self = .bye(try body.code(Goodbye.self), try body.words())
        case .ping: self = .ping(try body.number())
        case .pong: self = .pong(try body.number())
        case .message:
            self = .message(
                number: try body.number(), kind: try body.code(PeerMessageKind.self),
                total: try body.count(UInt32.self),
                bytes: body.tail())
        case .more: self = .more(bytes: body.tail())
        case .ack: self = .ack(try body.number())
        case .credit: self = .credit(lane: try body.number(), bytes: try body.count(UInt32.self))
        case .fileOffer:
            self = .fileOffer(transfer: try body.number(), size: try body.count(UInt64.self), name: try body.text())
        case .fileAccept:
            self = .fileAccept(
                transfer: try body.number(), offset: try body.count(UInt64.self), room: try body.count(UInt32.self))
        case .filePart:
            self = .filePart(transfer: try body.number(), offset: try body.count(UInt64.self), bytes: body.tail())
        case .fileEnd: self = .fileEnd(transfer: try body.number(), digest: Array(try body.bytes(32)))
        case .fileDone: self = .fileDone(transfer: try body.number())
        case .fileStop:
            self = .fileStop(transfer: try body.number(), try body.code(StopReason.self), try body.words())
        case .reservedStreamOpen, .reservedStreamPart, .reservedStreamEnd, .reservedDroppable:
            throw .protocolViolation("a frame of kind \(kind.rawValue), which version \(Hello.version) does not speak")
        }
    }
}

extension Hello {
    fileprivate init(from body: inout FrameCursor) throws(PeerError) {
        guard Array(try body.bytes(4)) == Hello.magic else {
            throw .protocolViolation(
                "a first frame that does not begin with WEIR; something else listens or dials here")
        }
        lowest = try body.number()
        highest = try body.number()
        guard lowest <= Hello.version, highest >= Hello.version else {
            throw .protocolViolation(
                "versions \(lowest) to \(highest) are spoken there, version \(Hello.version) here; update the older side"
            )
        }
        guard let id = Peer.ID(bytes: try body.bytes(Peer.ID.byteCount)) else {
            throw .protocolViolation("an id of the wrong length")
        }
        messageLimit = try body.count(UInt32.self)
        window = try body.count(UInt32.self)
        let length: UInt8 = try body.number()
        let name = try body.text(Int(length))
        if let fault = PeerName.fault(in: name) { throw .protocolViolation("the peer's name \(fault)") }
        peer = Peer(id: id, name: name)
        _ = body.tail()  // what a later version adds
    }
}

/// Reads a frame's body from the front and knows what it reads, for its errors.
private struct FrameCursor {
    let kind: FrameKind
    var rest: ArraySlice<UInt8>

    mutating func bytes(_ count: Int) throws(PeerError) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .protocolViolation("a \(kind) frame that ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<Number: FixedWidthInteger>() throws(PeerError) -> Number {
        try bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A number that this machine can count to.
    mutating func count<Number: FixedWidthInteger>(_: Number.Type) throws(PeerError) -> Int {
        let number: Number = try number()
        guard let count = Int(exactly: number) else {
            throw .protocolViolation("a \(kind) frame that speaks of \(number) bytes")
        }
        return count
    }

    mutating func code<Code: RawRepresentable<UInt8>>(_: Code.Type) throws(PeerError) -> Code {
        let raw: UInt8 = try number()
        guard let code = Code(rawValue: raw) else {
            throw .protocolViolation("a \(kind) frame with the unknown code \(raw)")
        }
        return code
    }

    mutating func tail() -> ArraySlice<UInt8> {
        defer { rest = rest.suffix(0) }
        return rest
    }

    mutating func text(_ count: Int? = nil) throws(PeerError) -> String {
        let bytes = try count.map { count throws(PeerError) in try self.bytes(count) } ?? tail()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .protocolViolation("a \(kind) frame whose text is not UTF-8")
        }
        return text
    }

    /// Words for people: short, and without the control characters that would let them write over a terminal.
    mutating func words() throws(PeerError) -> String {
        let text = try text()
        guard text.utf8.count <= 1024 else {
            throw .protocolViolation("a \(kind) frame with \(text.utf8.count) bytes of words, the limit is 1024")
        }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }

    func end() throws(PeerError) {
        guard rest.isEmpty else { throw .protocolViolation("a \(kind) frame with \(rest.count) bytes too many") }
    }
}
