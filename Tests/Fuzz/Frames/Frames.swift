@testable import WeirPeers

// Bytes from another peer, in pieces of the size that the first byte says.

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    var whole = FrameReader(limit: 4_096)
    var pieces = FrameReader(limit: 4_096)
    let body = Array(input.dropFirst())
    let frames = read(&whole, body, step: max(1, body.count))
    precondition(frames == read(&pieces, body, step: Int(first) + 1), "the size of the pieces matters")
    for frame in frames {
        var again = FrameReader(limit: 1 << 20)
        precondition(read(&again, frame.bytes, step: 1 << 20) == [frame], "\(frame)")
    }
    return 0
}

private func read(_ reader: inout FrameReader, _ bytes: [UInt8], step: Int) -> [Frame] {
    var frames: [Frame] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
        reader.feed(Array(bytes[start..<min(bytes.count, start + step)]))
        do {
            while let frame = try reader.next() { frames.append(frame) }
        } catch {
            return frames
        }
    }
    return frames
}
