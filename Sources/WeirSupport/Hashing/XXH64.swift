/// XXH64, a fast hash of 64 bits that finds damage. It is no protection against an attacker: for that there is SHA-256.
///
/// Written from the public specification: xxHash fast digest algorithm, version 0.2, XXH64 (Yann Collet,
/// doc/xxhash_spec.md of the xxHash project). Bytes come in any number of pieces.
package struct XXH64Hasher: BlockHasher, Sendable {
    typealias Block = SIMD32<UInt8>

    var pending = Block()
    var count: UInt64 = 0
    private let seed: UInt64
    private var lane1: UInt64
    private var lane2: UInt64
    private var lane3: UInt64
    private var lane4: UInt64

    /// A hasher that has seen nothing yet.
    ///
    /// - Parameter seed: any number; another seed gives another, independent hash.
    package init(seed: UInt64 = 0) {
        self.seed = seed
        lane1 = seed &+ prime1 &+ prime2
        lane2 = seed &+ prime2
        lane3 = seed
        lane4 = seed &- prime1
    }

    /// The hash of `bytes`. O(n).
    package static func hash(_ bytes: some Collection<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var hasher = XXH64Hasher(seed: seed)
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// Appends `bytes` to what is hashed. O(n), without a copy where they lie in one piece (arrays, Data, UTF-8 views,
    /// raw buffers).
    package mutating func update(_ bytes: some Collection<UInt8>) { take(bytes) }

    /// The hash of everything so far. The hasher stays as it is, so more may follow. O(1).
    package func finalize() -> UInt64 {
        var hash = count >= 32 ? converged() : seed &+ prime5
        hash &+= count
        hash = withRest(hash)
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    /// Step 2: stripes of 32 bytes, eight for each lane. The lanes stay in registers for the whole run.
    mutating func fold(_ bytes: UnsafeRawPointer, blocks: Int) {
        var (a, b, c, d) = (lane1, lane2, lane3, lane4)
        var stripe = bytes
        for _ in 0..<blocks {
            a = round(a, word(stripe, 0))
            b = round(b, word(stripe, 8))
            c = round(c, word(stripe, 16))
            d = round(d, word(stripe, 24))
            stripe += 32
        }
        (lane1, lane2, lane3, lane4) = (a, b, c, d)
    }

    /// Step 3: the four lanes become one.
    private func converged() -> UInt64 {
        var hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        for lane in [lane1, lane2, lane3, lane4] {
            hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
        }
        return hash
    }

    /// Step 5: what did not fill a stripe, by eight bytes, four, and one.
    private func withRest(_ start: UInt64) -> UInt64 {
        let size = pendingCount
        guard size > 0 else { return start }
        return withUnsafeBytes(of: pending) { bytes in
            var hash = start
            var at = 0
            while at + 8 <= size {
                let lane = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                hash = rotate(hash ^ round(0, lane), 27) &* prime1 &+ prime4
                at += 8
            }
            if at + 4 <= size {
                let lane = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                hash = rotate(hash ^ (UInt64(lane) &* prime1), 23) &* prime2 &+ prime3
                at += 4
            }
            while at < size {
                hash = rotate(hash ^ (UInt64(bytes[at]) &* prime5), 11) &* prime1
                at += 1
            }
            return hash
        }
    }
}

private let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
private let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
private let prime3: UInt64 = 0x1656_67b1_9e37_79f9
private let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
private let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

@inline(__always) private func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    (word &<< bits) | (word &>> (64 &- bits))
}

@inline(__always) private func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
}

@inline(__always) private func word(_ stripe: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: stripe.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}
