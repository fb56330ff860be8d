/// SHA-256, the hash of 32 bytes that names files and peers.
///
/// Written from the public standard: FIPS 180-4, Secure Hash Standard, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.
/// Bytes come in any number of pieces; what counts is their sequence, not how it was cut.
package struct SHA256Hasher: BlockHasher, Sendable {
    /// The bytes of a hash.
    package static let digestSize = 32

    typealias Block = SIMD64<UInt8>

    var pending = Block()
    var count: UInt64 = 0
    private var state = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    /// A hasher that has seen nothing yet.
    package init() {}

    /// The hash of `bytes`: 32 bytes. O(n).
    package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// The hash of `bytes` as 64 lower-case hexadecimal digits. O(n).
    package static func hex(_ bytes: some Collection<UInt8>) -> String { Hex.string(hash(bytes)) }

    /// Appends `bytes` to what is hashed. O(n), without a copy where they lie in one piece (arrays, Data, UTF-8 views,
    /// raw buffers).
    package mutating func update(_ bytes: some Collection<UInt8>) { take(bytes) }

    /// The hash of everything so far: 32 bytes. The hasher stays as it is, so more may follow. O(1).
    package func finalize() -> [UInt8] {
        let state = padded().state
        return [UInt8](unsafeUninitializedCapacity: Self.digestSize) { bytes, count in
            for index in 0..<8 {
                let word = state[index]
                bytes[index * 4] = UInt8(truncatingIfNeeded: word >> 24)
                bytes[index * 4 + 1] = UInt8(truncatingIfNeeded: word >> 16)
                bytes[index * 4 + 2] = UInt8(truncatingIfNeeded: word >> 8)
                bytes[index * 4 + 3] = UInt8(truncatingIfNeeded: word)
            }
            count = Self.digestSize
        }
    }

    /// The hasher after the padding of section 5.1.1: a one bit, zeros, and the length in bits as 64 bits.
    private func padded() -> SHA256Hasher {
        var hasher = self
        let used = pendingCount
        hasher.write(0x80, then: used + 1)
        if used >= 56 {
            hasher.foldPending()
            hasher.write(nil, then: 0)
        }
        let bits = (count &* 8).bigEndian
        withUnsafeMutableBytes(of: &hasher.pending) { $0.storeBytes(of: bits, toByteOffset: 56, as: UInt64.self) }
        hasher.foldPending()
        return hasher
    }

    /// Puts `mark` before `start` and zeros from there to the block's end.
    private mutating func write(_ mark: UInt8?, then start: Int) {
        withUnsafeMutableBytes(of: &pending) { block in
            if let mark { block[start - 1] = mark }
            for index in start..<64 { block[index] = 0 }
        }
    }

    mutating func fold(_ bytes: UnsafeRawPointer, blocks: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            roundConstants.withUnsafeBufferPointer { constants in
                for block in 0..<blocks {
                    Self.schedule(bytes + block * 64, words)
                    compress(words, constants)
                }
            }
        }
    }

    /// Section 6.2.2, step 1: the 64 words of one block.
    @inline(__always)
    private static func schedule(_ block: UnsafeRawPointer, _ words: UnsafeMutableBufferPointer<UInt32>) {
        for index in 0..<16 {
            words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let near = words[index - 2]
            let far = words[index - 15]
            let mixedNear = rotate(near, 17) ^ rotate(near, 19) ^ (near >> 10)
            let mixedFar = rotate(far, 7) ^ rotate(far, 18) ^ (far >> 3)
            words[index] = mixedNear &+ words[index - 7] &+ mixedFar &+ words[index - 16]
        }
    }

    /// Section 6.2.2, steps 2 to 4: the 64 rounds over the words of one block.
    @inline(__always)
    private mutating func compress(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        // Eight rounds a turn: instead of moving eight values along, each round names them one further.
        for at in stride(from: 0, to: 64, by: 8) {
            round(a, b, c, &d, e, f, g, &h, constants[at] &+ words[at])
            round(h, a, b, &c, d, e, f, &g, constants[at + 1] &+ words[at + 1])
            round(g, h, a, &b, c, d, e, &f, constants[at + 2] &+ words[at + 2])
            round(f, g, h, &a, b, c, d, &e, constants[at + 3] &+ words[at + 3])
            round(e, f, g, &h, a, b, c, &d, constants[at + 4] &+ words[at + 4])
            round(d, e, f, &g, h, a, b, &c, constants[at + 5] &+ words[at + 5])
            round(c, d, e, &f, g, h, a, &b, constants[at + 6] &+ words[at + 6])
            round(b, c, d, &e, f, g, h, &a, constants[at + 7] &+ words[at + 7])
        }
        state = state &+ SIMD8(a, b, c, d, e, f, g, h)
    }
}

/// One round of section 6.2.2, step 3: what it changes are the fourth value and the eighth.
@inline(__always)
private func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32
) {
    let mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let chosen = g ^ (e & (f ^ g))
    let first = h &+ input &+ mixedE &+ chosen
    let mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let majority = (a & b) | (c & (a | b))
    d &+= first
    h = first &+ mixedA &+ majority
}

@inline(__always) private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    (word &>> bits) | (word &<< (32 &- bits))
}

/// Section 4.2.2: the first 32 bits of the fractions of the cube roots of the first 64 primes.
private let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
