import Foundation
import Testing

@testable import WeirCaching

@Suite struct DiskRecordTests {
    static let record = DiskRecord(key: Array("key".utf8), value: Data("value".utf8), created: 1_000, expires: 2_000)

    @Test(arguments: [
        record, DiskRecord(key: [], value: Data(), created: 0, expires: nil),
        DiskRecord(key: [0, 46, 46, 47], value: Data(count: 100_000), created: .min, expires: .max),
        DiskRecord(key: [UInt8](repeating: 7, count: 1_000_000), value: Data([1]), created: -1, expires: 0),
    ])
    func whatIsWrittenIsRead(record: DiskRecord) throws {
        let bytes = record.encoded()
        #expect(bytes.count == DiskRecord.fileSize(key: record.key.count, value: record.value.count))
        #expect(try DiskRecord(decoding: bytes) == record)
    }

    /// The layout is on disks out there: it changes with the version number only.
    @Test func theLayoutIsFixed() {
        let bytes = Self.record.encoded()
        let head: [UInt8] = [
            0x57, 0x45, 0x49, 0x52, 1, 0, 1, 0, 40, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0,
            0xE8, 3, 0, 0, 0, 0, 0, 0, 0xD0, 7, 0, 0, 0, 0, 0, 0,
        ]
        #expect(Array(bytes.prefix(40)) == head)
        #expect(Array(bytes[40..<48]) == Array("keyvalue".utf8))
        #expect(bytes.count == 56)
    }

    @Test func everyTruncationIsDamage() {
        let bytes = Self.record.encoded()
        for length in bytes.indices {
            #expect(throws: DiskRecord.Damage.self, "\(length)") {
                try DiskRecord(decoding: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: DiskRecord.Damage.lengths) { try DiskRecord(decoding: bytes + [0]) }
    }

    @Test func everyFlippedBitIsDamage() {
        let bytes = Self.record.encoded()
        for bit in 0..<bytes.count * 8 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: DiskRecord.Damage.self, "bit \(bit)") { try DiskRecord(decoding: flipped) }
        }
    }

    /// Lengths are compared before anything is allocated for them.
    @Test(arguments: [(12, 4), (16, 8)]) func hugeLengthsAreDamage(offset: Int, count: Int) {
        var bytes = Self.record.encoded()
        for index in offset..<offset + count { bytes[index] = 0xFF }
        #expect(throws: DiskRecord.Damage.lengths) { try DiskRecord(decoding: bytes) }
    }

    @Test func timesBeyondTheRangeStandAtItsEnds() {
        #expect(Date.distantFuture.nanoseconds == .max && Date.distantPast.nanoseconds == .min)
        #expect(Date(timeIntervalSince1970: 60).nanoseconds == 60_000_000_000)
        #expect(Date(timeIntervalSince1970: .infinity).nanoseconds == .max)
        #expect(Date(timeIntervalSince1970: .nan).nanoseconds == .min)
    }
}
