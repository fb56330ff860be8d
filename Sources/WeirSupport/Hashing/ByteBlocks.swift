/// How both hashers take bytes: whole blocks straight from the caller's memory, only the rest through a buffer.
///
/// A hasher names its block and folds whole blocks into its state; filling up, carrying over and counting stand here.
protocol BlockHasher {
    /// What the hasher keeps between two updates: one block's bytes.
    associatedtype Block

    /// The bytes that do not fill a block yet; only the first `count % size` of them mean something.
    var pending: Block { get set }

    /// How many bytes came in all.
    var count: UInt64 { get set }

    /// Folds `blocks` whole blocks into the state.
    mutating func fold(_ bytes: UnsafeRawPointer, blocks: Int)
}

extension BlockHasher {
    /// The bytes of one block.
    @inline(__always) static var blockSize: Int { MemoryLayout<Block>.size }

    /// How many bytes wait for their block to fill up.
    @inline(__always) var pendingCount: Int { Int(truncatingIfNeeded: count) & (Self.blockSize - 1) }

    /// Takes the bytes of any collection, without a copy where it stores them in one piece.
    @inline(__always) mutating func take(_ bytes: some Collection<UInt8>) {
        let inPlace: Void? = bytes.withContiguousStorageIfAvailable { take(UnsafeRawBufferPointer($0)) }
        if inPlace == nil {
            Array(bytes).withUnsafeBytes { take($0) }
        }
    }

    /// Takes the bytes of `bytes`.
    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard var start = bytes.baseAddress, !bytes.isEmpty else { return }
        var left = bytes.count
        let held = pendingCount
        count &+= UInt64(left)
        if held > 0 {
            let filling = min(Self.blockSize - held, left)
            copy(start, filling, at: held)
            start += filling
            left -= filling
            guard held + filling == Self.blockSize else { return }
            foldPending()
        }
        let blocks = left / Self.blockSize
        if blocks > 0 {
            fold(start, blocks: blocks)
            start += blocks * Self.blockSize
            left -= blocks * Self.blockSize
        }
        copy(start, left, at: 0)
    }

    /// Folds the buffer, which is full.
    mutating func foldPending() {
        let block = pending
        withUnsafeBytes(of: block) { bytes in
            if let start = bytes.baseAddress { fold(start, blocks: 1) }
        }
    }

    private mutating func copy(_ start: UnsafeRawPointer, _ size: Int, at offset: Int) {
        guard size > 0 else { return }
        withUnsafeMutableBytes(of: &pending) { block in
            UnsafeMutableRawBufferPointer(rebasing: block[offset..<(offset + size)])
                .copyMemory(from: UnsafeRawBufferPointer(start: start, count: size))
        }
    }
}
