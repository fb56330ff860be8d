// From a frame to its bytes. Nothing here can fail: limits are checked where frames are made.

extension Frame {
    /// Appends the frame's bytes, its length first.
    func write(to out: inout [UInt8]) {
        let start = out.count
        out.append(bigEndian: UInt32(0))
        writeBody(to: &out)
        let length = UInt32(out.count - start - 4)
        for index in 0..<4 { out[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
    }

    /// The frame's bytes, its length first.
    var bytes: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .invite: .invite
        case .accept: .accept
        case .decline: .decline
        case .bye: .bye
        case .ping: .ping
        case .pong: .pong
        case .message: .message
        case .more: .more
        case .ack: .ack
        case .credit: .credit
        case .fileOffer: .fileOffer
        case .fileAccept: .fileAccept
        case .filePart: .filePart
        case .fileEnd: .fileEnd
        case .fileDone: .fileDone
        case .fileStop: .fileStop
        }
    }

    private func writeBody(to out: inout [UInt8]) {
        out.append(kind.rawValue)
        switch self {
        case .hello(let hello):
            hello.write(to: &out)
        case .invite(let context):
            out.append(contentsOf: context)
        case .accept: break
        case .decline(let words):
            out.append(contentsOf: words.utf8)
        case .bye(let reason, let words):
            out.append(reason.rawValue)
            out.append(contentsOf: words.utf8)
        case .ping(let number):
            out.append(bigEndian: number)
        case .pong(let number):
            out.append(bigEndian: number)
        case .message, .more, .ack, .credit:
            writeMessage(to: &out)
        case .fileOffer, .fileAccept, .filePart, .fileEnd, .fileDone, .fileStop:
            writeFile(to: &out)
        }
    }

    private func writeMessage(to out: inout [UInt8]) {
        switch self {
        case .message(let number, let kind, let total, let bytes):
            out.append(bigEndian: number)
            out.append(kind.rawValue)
            out.append(bigEndian: UInt32(total))
            out.append(contentsOf: bytes)
        case .more(let bytes):
            out.append(contentsOf: bytes)
        case .ack(let number):
            out.append(bigEndian: number)
        case .credit(let lane, let count):
            out.append(bigEndian: lane)
            out.append(bigEndian: UInt32(count))
        default: break
        }
    }

    private func writeFile(to out: inout [UInt8]) {
        switch self {
        case .fileOffer(let transfer, let size, let name):
            out.append(bigEndian: transfer)
            out.append(bigEndian: UInt64(size))
            out.append(contentsOf: name.utf8)
        case .fileAccept(let transfer, let offset, let room):
            out.append(bigEndian: transfer)
            out.append(bigEndian: UInt64(offset))
            out.append(bigEndian: UInt32(room))
        case .filePart(let transfer, let offset, let bytes):
            out.append(bigEndian: transfer)
            out.append(bigEndian: UInt64(offset))
            out.append(contentsOf: bytes)
        case .fileEnd(let transfer, let digest):
            out.append(bigEndian: transfer)
            out.append(contentsOf: digest)
        case .fileDone(let transfer):
            out.append(bigEndian: transfer)
        case .fileStop(let transfer, let reason, let words):
            out.append(bigEndian: transfer)
            out.append(reason.rawValue)
            out.append(contentsOf: words.utf8)
        default: break
        }
    }
}

extension Hello {
    /// Magic, versions, id, message limit, window, length of the name, name. What a later version adds comes after that.
    fileprivate func write(to out: inout [UInt8]) {
        out.append(contentsOf: Hello.magic)
        out.append(lowest)
        out.append(highest)
        out.append(contentsOf: peer.id.bytes)
        out.append(bigEndian: UInt32(messageLimit))
        out.append(bigEndian: UInt32(window))
        let name = Array(peer.name.utf8)
        out.append(UInt8(truncatingIfNeeded: name.count))
        out.append(contentsOf: name)
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
