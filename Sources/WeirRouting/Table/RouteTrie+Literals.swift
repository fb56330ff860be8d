/// The literal edges of the tree: one hash table for all nodes, keyed by node and segment.
extension RouteTrie {
    /// Where a literal's search starts. The parent is mixed in last, so that a segment is hashed without it.
    @inline(__always)
    static func hash(_ segment: UInt64, parent: Int32) -> UInt32 {
        let mixed = (segment ^ UInt64(UInt32(bitPattern: parent))) &* 0x9E37_79B9_7F4A_7C15
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }

    /// The child of `node` by this literal, made where it is missing.
    mutating func literalChild(of node: Int32, _ key: SegmentKey) -> Int32 {
        nodes[Int(node)].hasLiterals = true
        switch key {
        case .unicode(let text):
            let edge = UnicodeLiteral(parent: node, text: text)
            if let child = unicode[edge] { return child }
            nodes.append(Node())
            let child = Int32(nodes.count - 1)
            unicode[edge] = child
            return child
        case .ascii(let bytes):
            return bytes.withUnsafeBytes { asciiChild(of: node, $0) }
        }
    }

    private mutating func asciiChild(of node: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
        let hash = Self.hash(hashSegment(bytes, folding: false), parent: node)
        if let child = find(bytes, hash, parent: node) { return child }
        if literalCount * 2 >= literals.count { growLiterals() }
        nodes.append(Node())
        let edge = Literal(
            parent: node, child: Int32(nodes.count - 1), hash: hash, keyStart: Int32(keys.count),
            keyCount: Int32(bytes.count))
        keys.append(contentsOf: bytes)
        place(edge)
        literalCount += 1
        return edge.child
    }

    private mutating func place(_ edge: Literal) {
        let mask = literals.count - 1
        var index = Int(edge.hash) & mask
        while literals[index].parent != Self.none { index = (index + 1) & mask }
        literals[index] = edge
    }

    private mutating func growLiterals() {
        let old = literals
        literals = [Literal](repeating: Literal(), count: old.count * 2)
        for edge in old where edge.parent != Self.none { place(edge) }
    }

    private func find(_ bytes: UnsafeRawBufferPointer, _ hash: UInt32, parent: Int32) -> Int32? {
        literals.withUnsafeBufferPointer { literals in
            keys.withUnsafeBytes { keys in
                let found = LiteralTable(literals: literals, keys: keys).child(
                    of: parent, bytes, hash: hash, folding: false)
                return found == Self.none ? nil : found
            }
        }
    }
}

/// The hash of a segment's bytes; an empty buffer has no address.
@inline(__always)
func hashSegment(_ bytes: UnsafeRawBufferPointer, folding: Bool) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0 }
    return hashASCII(base, bytes.count, folding: folding)
}

/// The literal edges, laid open for the time of a search.
struct LiteralTable {
    let literals: UnsafeBufferPointer<RouteTrie.Literal>
    let keys: UnsafeRawBufferPointer

    /// The child of `parent` by the segment, or `none`.
    @inline(__always)
    func child(of parent: Int32, _ segment: UnsafeRawBufferPointer, hash: UInt32, folding: Bool) -> Int32 {
        let mask = literals.count - 1
        var index = Int(hash) & mask
        while true {
            let edge = literals[index]
            if edge.parent == RouteTrie.none { return RouteTrie.none }
            if edge.hash == hash, edge.parent == parent, Int(edge.keyCount) == segment.count {
                guard let bytes = segment.baseAddress, let key = keys.baseAddress else { return edge.child }
                if equalASCII(bytes, key + Int(edge.keyStart), segment.count, folding: folding) { return edge.child }
            }
            index = (index + 1) & mask
        }
    }
}
