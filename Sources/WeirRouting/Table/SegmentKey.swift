/// How a segment is compared with a literal: by bytes where it is ASCII, else as a Swift string.
///
/// Ignoring case means ASCII folding, and `lowercased()` for anything else: `ß` is not `SS`. Two spellings that are
/// canonically equivalent (`é`, and `e` with an accent) are the same segment.
enum SegmentKey: Hashable {
    case ascii([UInt8])
    case unicode(String)

    /// The key of a decoded segment.
    init(_ text: String, folding: Bool) {
        var text = folding ? text.lowercased() : text
        if !text.utf8.allSatisfy({ $0 < 128 }) {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map(plain)))
        }
        let bytes = Array(text.utf8)
        self = bytes.allSatisfy { $0 < 128 } ? .ascii(bytes) : .unicode(text)
    }
}

/// The only scalars beyond ASCII that are canonically equivalent to ASCII ones (a test tries them all).
private func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "\u{212A}": "K"
    case "\u{37E}": ";"
    case "\u{1FEF}": "`"
    default: scalar
    }
}

// MARK: ASCII, eight bytes at a time

/// A hash of `count` ASCII bytes, the same for both cases if `folding`.
@inline(__always)
func hashASCII(_ bytes: UnsafeRawPointer, _ count: Int, folding: Bool) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    forEachWord(bytes, count) { word in
        hash = (hash ^ (folding ? lowercasedASCII(word) : word)) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 32
    }
    return hash
}

/// Whether `count` ASCII bytes are those of a key, which is folded already if `folding`.
@inline(__always)
func equalASCII(_ bytes: UnsafeRawPointer, _ key: UnsafeRawPointer, _ count: Int, folding: Bool) -> Bool {
    var difference: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        difference |=
            (folding ? lowercasedASCII(word) : word) ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
    }
    if offset < count {
        let word = lastWord(bytes, count)
        difference |= (folding ? lowercasedASCII(word) : word) ^ lastWord(key, count)
    }
    return difference == 0
}

@inline(__always)
private func forEachWord(_ bytes: UnsafeRawPointer, _ count: Int, _ body: (UInt64) -> Void) {
    var offset = 0
    while offset + 8 <= count {
        body(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
    }
    if offset < count { body(lastWord(bytes, count)) }
}

/// The last bytes as one word, never reading outside: from eight bytes on it overlaps what came before.
@inline(__always)
private func lastWord(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 8 { return bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
    if count >= 4 {
        let low = bytes.loadUnaligned(as: UInt32.self)
        let high = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        return UInt64(low) | UInt64(high) << 32
    }
    if count == 0 { return 0 }
    let first = UInt64(bytes.load(as: UInt8.self))
    let middle = UInt64(bytes.load(fromByteOffset: count >> 1, as: UInt8.self))
    let last = UInt64(bytes.load(fromByteOffset: count - 1, as: UInt8.self))
    return first | middle << 8 | last << 16
}

/// Sets bit 5 of each byte that is one of A to Z; every byte is below 128.
@inline(__always)
private func lowercasedASCII(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let atLeastA = word &+ ones &* 0x3F
    let aboveZ = word &+ ones &* 0x25
    return word | ((atLeastA ^ aboveZ) & (ones &* 0x80)) >> 2
}
