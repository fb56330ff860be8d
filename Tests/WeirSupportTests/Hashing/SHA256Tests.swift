import Foundation
import Testing
import WeirSupport

/// The example messages that NIST publishes with FIPS 180-4.
@Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
])
func sha256GivesThePublishedHash(message: String, expected: String) {
    #expect(SHA256Hasher.hex(message.utf8) == expected)
}

/// The hash over the 201 hashes was made with another implementation (Python's hashlib, which calls OpenSSL).
@Test func sha256AgreesWithAnotherImplementationAtEveryLengthTo200() {
    var all = SHA256Hasher()
    for length in 0...200 { all.update(SHA256Hasher.hash(pattern(length))) }
    #expect(Hex.string(all.finalize()) == "2bbf1d20267a79f8e572648b9eb23233b4ca71284fc5ddd958bb35dfac5ae339")
    #expect(SHA256Hasher.hex(pattern(100_000)) == "1ab2b6a83a1b6f40656f94473d2ecd32681449e35ff9c68fec13d6081c12865e")
}

@Test func sha256DoesNotDependOnHowTheBytesAreCut() {
    let bytes = pattern(200)
    let whole = SHA256Hasher.hash(bytes)
    for cut in 0...200 {
        var hasher = SHA256Hasher()
        hasher.update(bytes[..<cut])
        hasher.update([])
        hasher.update(bytes[cut...])
        #expect(hasher.finalize() == whole)
    }
    var single = SHA256Hasher()
    for byte in bytes { single.update(CollectionOfOne(byte)) }
    #expect(single.finalize() == whole)
    var uneven = SHA256Hasher()
    for start in stride(from: 0, to: 200, by: 37) { uneven.update(bytes[start..<min(start + 37, 200)]) }
    #expect(uneven.finalize() == whole)
}

@Test func sha256TakesEveryKindOfCollection() {
    let bytes = pattern(150)
    let expected = SHA256Hasher.hash(bytes)
    #expect(SHA256Hasher.hash(Data(bytes)) == expected)
    #expect(SHA256Hasher.hash(bytes.reversed().lazy.reversed()) == expected)
    #expect(SHA256Hasher.hash(Data([9, 9]) + Data(bytes).dropFirst(0)) != expected)
    #expect(SHA256Hasher.hash((Data([9, 9]) + Data(bytes)).dropFirst(2)) == expected)
    bytes.withUnsafeBytes { #expect(SHA256Hasher.hash($0) == expected) }
}

@Test func sha256GoesOnAfterFinalize() {
    var hasher = SHA256Hasher()
    hasher.update("ab".utf8)
    let early = hasher.finalize()
    #expect(hasher.finalize() == early)
    #expect(early == SHA256Hasher.hash("ab".utf8))
    hasher.update("c".utf8)
    #expect(hasher.finalize() == SHA256Hasher.hash("abc".utf8))
    #expect(early.count == SHA256Hasher.digestSize)
}

@Test func hexWritesAndReadsBytes() {
    let all = [UInt8](0...255)
    #expect(Hex.string([0x00, 0x0f, 0xa0, 0xff]) == "000fa0ff")
    #expect(Hex.bytes(Hex.string(all)) == all)
    #expect(Hex.bytes(Hex.string(all).uppercased()) == all)
    #expect(Hex.string([]).isEmpty)
    #expect(Hex.bytes("") == [])
    for bad in ["0", "0g", "g0", "0x00", " 00", "éé", "00 "] { #expect(Hex.bytes(bad) == nil) }
}

/// Bytes that differ from place to place and from length to length.
func pattern(_ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: $0 * 131 + length * 17 + 7) }
}
