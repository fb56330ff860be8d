// What a key looks like in bytes, so that memory, disk and servers agree which keys are one. Two equal keys have equal
// bytes; for String that takes a normal form, because "é" as one scalar and as two are equal in Swift.

import Foundation

/// A key that every level understands: equal keys have equal bytes, in every process and for ever.
public protocol CacheKey: Hashable, Sendable {
    /// The bytes that stand for the key; equal for equal keys, different for different ones.
    var cacheBytes: [UInt8] { get }
}

extension String: CacheKey {
    /// The UTF-8 of the normal form C, as string equality is canonical equivalence (Unicode, annex 15).
    public var cacheBytes: [UInt8] {
        utf8.allSatisfy { $0 < 0x80 } ? Array(utf8) : Array(precomposedStringWithCanonicalMapping.utf8)
    }
}

extension URL: CacheKey {
    /// The bytes of the absolute string.
    public var cacheBytes: [UInt8] { absoluteString.cacheBytes }
}

extension Int: CacheKey {
    /// Eight bytes, least significant first.
    public var cacheBytes: [UInt8] { withUnsafeBytes(of: Int64(self).littleEndian) { Array($0) } }
}

extension UUID: CacheKey {
    /// The sixteen bytes of the identifier.
    public var cacheBytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
