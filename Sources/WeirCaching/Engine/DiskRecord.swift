// One file of a disk level, as bytes. All numbers are little-endian:
//
//     0 magic "WEIR"   4 version (2)   6 flags (2)   8 header length (4)   12 key length (4)   16 value length (8)
//     24 created   32 expires (8 each, nanoseconds since 1970)   40 key   … value   … XXH64 of all before (8)
//
// The checksum is against damage, not against attack: who can write the file can also write its checksum.

import Foundation
import WeirSupport

/// A key and a value with their lifetime, read from a file or on their way to one.
struct DiskRecord: Equatable, Sendable {
    var key: [UInt8]
    var value: Data
    var created: Int64
    /// The moment from which it no longer holds; `nil` is never.
    var expires: Int64?

    /// The whole file.
    func encoded() -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(Header.size + key.count + value.count + Header.checksumSize)
        let header = Header(
            keyLength: key.count, valueLength: value.count, created: created, expires: expires)
        header.append(to: &bytes)
        bytes += key
        bytes += value
        bytes.append(number: XXH64Hasher.hash(bytes))
        return bytes
    }

    /// What a file of this key and value takes on disk.
    static func fileSize(key: Int, value: Int) -> Int { Header.size + key + value + Header.checksumSize }

    /// Reads a whole file.
    ///
    /// - Parameter bytes: all of the file.
    /// - Throws: what is wrong with it.
    init(decoding bytes: [UInt8]) throws(Damage) {
        let header = try Header(decoding: bytes, fileSize: bytes.count)
        let end = bytes.count - Header.checksumSize
        let sum = bytes.withUnsafeBytes { XXH64Hasher.hash(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
        guard sum == bytes.number(at: end, as: UInt64.self) else { throw .checksum }
        let valueStart = Header.size + header.keyLength
        self.init(
            key: Array(bytes[Header.size..<valueStart]), value: Data(bytes[valueStart..<end]),
            created: header.created, expires: header.expires)
    }

    init(key: [UInt8], value: Data, created: Int64, expires: Int64?) {
        self.key = key
        self.value = value
        self.created = created
        self.expires = expires
    }
}

extension DiskRecord {
    /// What can be wrong with a file that is to be a record.
    enum Damage: Error, Equatable {
        case tooShort, magic, version(UInt16), flags(UInt16), lengths, checksum, otherKey, notAFile
    }

    /// The fixed part, from which the whole length follows before anything is allocated for it.
    struct Header {
        static let size = 40
        static let checksumSize = 8
        static let version: UInt16 = 1
        /// "WEIR".
        static let magic: UInt32 = 0x5249_4557
        static let expiresFlag: UInt16 = 1

        var keyLength: Int
        var valueLength: Int
        var created: Int64
        var expires: Int64?

        init(keyLength: Int, valueLength: Int, created: Int64, expires: Int64?) {
            self.keyLength = keyLength
            self.valueLength = valueLength
            self.created = created
            self.expires = expires
        }

        /// - Parameters:
        ///   - bytes: the file's beginning, at least.
        ///   - fileSize: the size of the whole file; the lengths must add up to it.
        init(decoding bytes: [UInt8], fileSize: Int) throws(Damage) {
            guard bytes.count >= Self.size, fileSize >= Self.size + Self.checksumSize else { throw .tooShort }
            guard bytes.number(at: 0, as: UInt32.self) == Self.magic else { throw .magic }
            let version = bytes.number(at: 4, as: UInt16.self)
            guard version == Self.version else { throw .version(version) }
            let flags = bytes.number(at: 6, as: UInt16.self)
            guard flags & ~Self.expiresFlag == 0 else { throw .flags(flags) }
            guard bytes.number(at: 8, as: UInt32.self) == UInt32(Self.size) else { throw .lengths }
            let room = UInt64(fileSize - Self.size - Self.checksumSize)
            let key = UInt64(bytes.number(at: 12, as: UInt32.self))
            let value = bytes.number(at: 16, as: UInt64.self)
            guard key <= room, value == room - key else { throw .lengths }
            keyLength = Int(key)
            valueLength = Int(value)
            created = bytes.number(at: 24, as: Int64.self)
            expires = flags & Self.expiresFlag == 0 ? nil : bytes.number(at: 32, as: Int64.self)
        }

        func append(to bytes: inout [UInt8]) {
            bytes.append(number: Self.magic)
            bytes.append(number: Self.version)
            bytes.append(number: expires == nil ? 0 : Self.expiresFlag)
            bytes.append(number: UInt32(Self.size))
            bytes.append(number: UInt32(keyLength))
            bytes.append(number: UInt64(valueLength))
            bytes.append(number: created)
            bytes.append(number: expires ?? 0)
        }
    }
}

extension [UInt8] {
    /// The little-endian number at an offset; the caller has checked that it is there.
    fileprivate func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension Date {
    /// Nanoseconds since 1970, at the ends of their range for moments beyond (before 1678, after 2261).
    var nanoseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1e9).rounded()
        return Int64(exactly: exact) ?? (exact > 0 ? .max : .min)
    }

    init(nanoseconds: Int64) { self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}

extension DiskRecord: CustomStringConvertible {
    /// As in `record of 3 + 5 bytes`.
    var description: String { "record of \(key.count) + \(value.count) bytes" }
}
