@testable import WeirCaching
@testable import WeirSupport

// Files of the disk cache: as they are, and with a checksum that fits, which no fuzzer would find.

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    check(input)
    if input.count >= 8 {
        let sum = XXH64Hasher.hash(Array(input.dropLast(8)))
        check(input.dropLast(8) + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
    }
    return 0
}

private func check(_ file: [UInt8]) {
    guard let record = try? DiskRecord(decoding: file) else { return }
    precondition(record.encoded() == file, "\(record)")
}
