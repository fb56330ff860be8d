/// Finding the entry for a URL: literal before constrained parameter before parameter before `*` before `**`, segment
/// by segment, back to the last choice where it leads nowhere. It takes no lock and allocates nothing but for URLs with
/// escapes, or in tables with patterns of more than forty segments.
extension RouteTrie {
    enum Found {
        case entry(Int, hasQuery: Bool)
        case nothing
        case invalid(URLFault)
    }

    /// The first entry for `url` that `accepts` takes.
    ///
    /// - Complexity: O(length of the URL) plus, where it has to go back, O(nodes).
    @inline(__always)
    func search(_ url: String, where accepts: (Int) -> Bool) -> Found {
        url.withBytes { bytes in
            withUnsafeTemporaryAllocation(of: SegmentSpan.self, capacity: depth + 1) { spans in
                do throws(URLFault) {
                    let outline = try URLOutline(bytes, spans: spans)
                    if outline.hasEscapes { return searchDecoded(url, outline, spans, accepts) }
                    return search(bytes, outline, scheme: bytes, spans, accepts)
                } catch {
                    return .invalid(error)
                }
            }
        }
    }

    /// The same where the segments must be decoded first.
    private func searchDecoded(
        _ text: String, _ outline: URLOutline, _ spans: UnsafeMutableBufferPointer<SegmentSpan>,
        _ accepts: (Int) -> Bool
    ) -> Found {
        guard let url = try? RouteURL(text) else { return .nothing }
        var decoded: [UInt8] = []
        for (index, segment) in url.segments.prefix(spans.count).enumerated() {
            let start = decoded.count
            decoded.append(contentsOf: segment.utf8)
            spans[index] = SegmentSpan(
                start: start, end: decoded.count, isASCII: decoded[start...].allSatisfy { $0 < 128 })
        }
        return text.withBytes { scheme in
            decoded.withUnsafeBytes { search($0, outline, scheme: scheme, spans, accepts) }
        }
    }

    @inline(__always)
    private func search(
        _ bytes: UnsafeRawBufferPointer, _ outline: URLOutline, scheme: UnsafeRawBufferPointer,
        _ spans: UnsafeMutableBufferPointer<SegmentSpan>, _ accepts: (Int) -> Bool
    ) -> Found {
        withUnsafeTemporaryAllocation(of: TrieWalk.Choice.self, capacity: depth + 1) { choices in
            withArrays { nodes, literals, constraints, slots, places in
                var walk = TrieWalk(
                    nodes: nodes, literals: literals, constraints: constraints, slots: slots, places: places,
                    bytes: bytes, spans: spans, choices: choices)
                walk.readScheme(scheme[..<outline.schemeEnd])
                let found = walk.run(outline, in: self, accepts)
                return found == Self.none ? .nothing : .entry(Int(found), hasQuery: outline.query != nil)
            }
        }
    }

    @inline(__always)
    private func withArrays<Result>(
        _ body: (
            UnsafeBufferPointer<Node>, LiteralTable, UnsafeBufferPointer<Constraint>, UnsafeBufferPointer<Slot>,
            UnsafeBufferPointer<Place>
        ) -> Result
    ) -> Result {
        nodes.withUnsafeBufferPointer { nodes in
            literals.withUnsafeBufferPointer { literals in
                keys.withUnsafeBytes { keys in
                    constraints.withUnsafeBufferPointer { constraints in
                        slots.withUnsafeBufferPointer { slots in
                            places.withUnsafeBufferPointer { places in
                                body(nodes, LiteralTable(literals: literals, keys: keys), constraints, slots, places)
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One search: where it is, and where it may go back to.
private struct TrieWalk {
    /// What is still to be tried at a node: an edge of its constraints if not negative, or one of the steps below.
    typealias Step = Int32
    static let parameter = RouteTrie.none
    static let any: Step = -2
    static let rest: Step = -3
    static let literal: Step = -4

    struct Choice {
        var node: Int32
        var index: Int32
        var step: Step
    }

    let nodes: UnsafeBufferPointer<RouteTrie.Node>
    let literals: LiteralTable
    let constraints: UnsafeBufferPointer<RouteTrie.Constraint>
    let slots: UnsafeBufferPointer<RouteTrie.Slot>
    let places: UnsafeBufferPointer<RouteTrie.Place>
    let bytes: UnsafeRawBufferPointer
    let spans: UnsafeMutableBufferPointer<SegmentSpan>
    let choices: UnsafeMutableBufferPointer<Choice>
    /// The number of the URL's scheme; `none` if it has none or one that no pattern has.
    var scheme = RouteTrie.none

    @inline(__always)
    mutating func readScheme(_ part: Slice<UnsafeRawBufferPointer>) {
        guard !part.isEmpty else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: part)
        let hash = RouteTrie.hash(hashSegment(bytes, folding: true), parent: RouteTrie.schemes)
        scheme = literals.child(of: RouteTrie.schemes, bytes, hash: hash, folding: true)
    }

    /// The entry, or `none`.
    @inline(__always)
    func run(_ outline: URLOutline, in trie: borrowing RouteTrie, _ accepts: (Int) -> Bool) -> Int32 {
        let root = outline.hasHost ? RouteTrie.rootWithHost : RouteTrie.rootWithoutHost
        let slash = outline.hasTrailingSlash && trie.options.contains(.significantTrailingSlash)
        let count = outline.segmentCount
        var here = Choice(node: root, index: 0, step: Self.literal)
        var depth = 0
        while true {
            let node = nodes[Int(here.node)]
            if here.index < count {
                let child = next(&here, node, root, trie)
                if child != RouteTrie.none {
                    choices[depth] = here
                    depth &+= 1
                    here = Choice(node: child, index: here.index &+ 1, step: Self.literal)
                    continue
                }
            } else {
                let entry = newest(node.ends, slash, accepts)
                if entry != RouteTrie.none { return entry }
            }
            let entry = newest(node.rests, false, accepts)
            if entry != RouteTrie.none { return entry }
            guard depth > 0 else { return RouteTrie.none }
            depth &-= 1
            here = choices[depth]
        }
    }

    /// The next child to try, or `none`; `here` then says what to try after it.
    @inline(__always)
    private func next(
        _ here: inout Choice, _ node: RouteTrie.Node, _ root: Int32, _ trie: borrowing RouteTrie
    ) -> Int32 {
        if here.step == Self.literal {
            here.step = node.constraints
            if node.hasLiterals {
                let child = literalChild(here, root, trie)
                if child != RouteTrie.none { return child }
            }
        }
        while here.step >= 0 {
            let edge = constraints[Int(here.step)]
            here.step = edge.next
            if trie.kinds[Int(edge.kind)].takes(segment(here.index)) { return edge.child }
        }
        if here.step == Self.parameter {
            here.step = Self.any
            if node.parameter != RouteTrie.none { return node.parameter }
        }
        if here.step == Self.any {
            here.step = Self.rest
            return node.any
        }
        return RouteTrie.none
    }

    @inline(__always)
    private func literalChild(_ here: Choice, _ root: Int32, _ trie: borrowing RouteTrie) -> Int32 {
        let folding = trie.folds(Int(here.index), root: root)
        let segment = segment(here.index)
        guard spans[Int(here.index)].isASCII else { return unicodeChild(of: here.node, segment, folding, trie) }
        let hash = RouteTrie.hash(hashSegment(segment, folding: folding), parent: here.node)
        return literals.child(of: here.node, segment, hash: hash, folding: folding)
    }

    @inline(__always)
    private func segment(_ index: Int32) -> UnsafeRawBufferPointer {
        let span = spans[Int(index)]
        return UnsafeRawBufferPointer(start: bytes.baseAddress.map { $0 + span.start }, count: span.end &- span.start)
    }

    private func unicodeChild(
        of node: Int32, _ segment: UnsafeRawBufferPointer, _ folding: Bool, _ trie: borrowing RouteTrie
    ) -> Int32 {
        switch SegmentKey(String(decoding: segment, as: UTF8.self), folding: folding) {
        case .unicode(let text):
            return trie.unicode[RouteTrie.UnicodeLiteral(parent: node, text: text)] ?? RouteTrie.none
        case .ascii(let key):
            return key.withUnsafeBytes { key in
                let hash = RouteTrie.hash(hashSegment(key, folding: false), parent: node)
                return literals.child(of: node, key, hash: hash, folding: false)
            }
        }
    }

    /// The newest accepted entry of the most particular slot that fits.
    @inline(__always)
    private func newest(_ list: Int32, _ slash: Bool, _ accepts: (Int) -> Bool) -> Int32 {
        var index = list
        while index != RouteTrie.none {
            let slot = slots[Int(index)]
            if slot.scheme == RouteTrie.none || slot.scheme == scheme, slot.hasTrailingSlash == slash {
                var place = slot.top
                while place != RouteTrie.none {
                    let entry = places[Int(place)].entry
                    if accepts(Int(entry)) { return entry }
                    place = places[Int(place)].below
                }
            }
            index = slot.next
        }
        return RouteTrie.none
    }
}
