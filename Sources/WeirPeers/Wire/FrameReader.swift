// From bytes to frames. Bytes come in pieces of any size; a frame comes out when it is whole. Every length is checked
// before anything is allocated for it, and the first fault is final: a reader that has failed stays failed.

/// Cuts a stream of bytes into frames.
struct FrameReader {
    /// The most bytes that the next frame may have.
    ///
    /// It starts at the limit for a first frame; whoever knows the other side raises it.
    var limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var fault: PeerError?

    init(limit: Int) { self.limit = limit }

    /// The bytes that wait for the rest of their frame.
    var held: Int { buffer.count - start }

    /// Takes the next bytes. All whole frames are to be read before more is fed: that bounds the memory.
    mutating func feed(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
        } else {
            buffer.removeFirst(start)
            buffer.append(contentsOf: bytes)
        }
        start = 0
    }

    /// The next frame, or nil where more bytes are needed.
    ///
    /// - Throws: what is wrong with the bytes; every later call throws the same.
    mutating func next() throws(PeerError) -> Frame? {
        if let fault { throw fault }
        do {
            guard let body = try nextBody() else { return nil }
            return try Frame(body: body)
        } catch {
            fault = error
            buffer = []
            start = 0
            throw error
        }
    }

    /// The other side has no more to say: an error where it stopped inside a frame.
    func finish() throws(PeerError) {
        if let fault { throw fault }
        guard start == buffer.count else {
            throw .protocolViolation("the connection ended inside a frame, after \(buffer.count - start) of its bytes")
        }
    }

    private mutating func nextBody() throws(PeerError) -> ArraySlice<UInt8>? {
        guard buffer.count - start >= 4 else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0 else { throw .protocolViolation("a frame without a kind (its length is 0)") }
        guard length <= limit else {
            throw .protocolViolation("a frame of \(length) bytes, the limit is \(limit)")
        }
        guard buffer.count - start - 4 >= length else { return nil }
        defer { start += 4 + length }
        return buffer[start + 4..<start + 4 + length]
    }
}
