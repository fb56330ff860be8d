/// The values that came with a request: from the path, from the query, and from a rewrite.
///
/// Where one name has several values, those of a rewrite are stronger than those of the path, and these stronger than
/// those of the query.
public struct RouteParameters: Sendable {
    /// Where a value came from, strongest first.
    public enum Source: UInt8, Sendable, Hashable {
        /// A proxy gave it.
        case rewrite
        /// A parameter of the pattern took it from the path.
        case path
        /// It stood in the query.
        case query
    }

    /// One value.
    public struct Item: Sendable, Hashable {
        /// The name of the parameter, or of the query item.
        public let name: String
        /// The value, decoded.
        public let value: String
        /// Where it came from.
        public let source: Source
    }

    /// All values, strongest source first; those of one source in the order of the URL.
    public private(set) var items: [Item]

    /// The values in a URL that `pattern` takes.
    ///
    /// - Parameter rewrite: what a proxy gave.
    init(_ pattern: RoutePattern, _ url: String, _ options: RoutingOptions, rewrite: [Item] = []) {
        var items = rewrite
        url.withBytes { bytes in
            withUnsafeTemporaryAllocation(of: SegmentSpan.self, capacity: pattern.storage.segments.count + 1) { spans in
                do throws(URLFault) {
                    let outline = try URLOutline(bytes, spans: spans)
                    let reader = ItemReader(
                        bytes: bytes, outline: outline, plusIsSpace: !options.contains(.literalPlus))
                    try reader.appendPath(of: pattern.storage, spans, to: &items)
                    try reader.appendQuery(to: &items)
                } catch {
                    // What is no URL was never matched, and has no values.
                }
            }
        }
        self.items = items
    }

    /// The value of a name from the strongest source that has it; of several there, the last.
    ///
    /// - Complexity: O(number of values).
    public subscript(name: String) -> String? {
        var best: Item?
        for item in items where item.name == name {
            // The items are sorted by source: the first one tells the source, later ones of it replace it.
            if let best, best.source != item.source { break }
            best = item
        }
        return best?.value
    }

    /// All values of a name: of a rewrite, of the path, of the query, each in order.
    public func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The value of a name as another type.
    ///
    /// - Throws: `RouteParameterError` where no source has the name, or where the value is no `Value`.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = String.self
    ) throws(RouteParameterError) -> Value {
        guard let text = self[name] else { throw RouteParameterError(name: name, value: nil, type: "\(type)") }
        guard let value = Value(text) else { throw RouteParameterError(name: name, value: text, type: "\(type)") }
        return value
    }
}

extension RouteParameters: ExpressibleByDictionaryLiteral {
    /// Parameters that a proxy gives, in this order; a name may occur several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        items = elements.map { Item(name: $0.0, value: $0.1, source: .rewrite) }
    }

    /// Parameters that a proxy gives, sorted by name.
    public init(_ values: [String: String]) {
        items = values.sorted { $0.key < $1.key }.map { Item(name: $0.key, value: $0.value, source: .rewrite) }
    }

    /// What a proxy has given altogether: `new` added, and in place of what has one of its names.
    func rewritten(by new: RouteParameters) -> RouteParameters {
        var rewritten = self
        let names = Set(new.items.map(\.name))
        rewritten.items.removeAll { names.contains($0.name) }
        rewritten.items += new.items.map { Item(name: $0.name, value: $0.value, source: .rewrite) }
        return rewritten
    }
}

extension RouteParameters: Hashable, CustomStringConvertible {
    /// The names and values, strongest source first.
    public var description: String {
        "[" + items.map { "\($0.name): \"\($0.value)\"" }.joined(separator: ", ") + "]"
    }
}

/// Reads values off the bytes of a URL.
private struct ItemReader {
    typealias Item = RouteParameters.Item

    let bytes: UnsafeRawBufferPointer
    let outline: URLOutline
    let plusIsSpace: Bool

    func appendPath(
        of pattern: RoutePattern.Storage, _ spans: UnsafeMutableBufferPointer<SegmentSpan>, to items: inout [Item]
    ) throws(URLFault) {
        items.reserveCapacity(items.count + pattern.captures.count + 1)
        for capture in pattern.captures where capture.index < outline.segmentCount {
            let span = spans[capture.index]
            let value = try text(span.start..<span.end, plusIsSpace: false)
            items.append(Item(name: capture.name, value: value, source: .path))
        }
        if case .named(let name) = pattern.rest {
            let count = pattern.segments.count
            let start = count < outline.segmentCount ? spans[count].start : outline.path.upperBound
            let value = try text(start..<outline.path.upperBound, plusIsSpace: false)
            items.append(Item(name: name, value: value, source: .path))
        }
    }

    func appendQuery(to items: inout [Item]) throws(URLFault) {
        guard let query = outline.query else { return }
        for item in bytes[query].split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let name = try text(item.startIndex..<equals, plusIsSpace: plusIsSpace)
            let valueStart = min(equals + 1, item.endIndex)
            let value = try text(valueStart..<item.endIndex, plusIsSpace: plusIsSpace)
            items.append(Item(name: name, value: value, source: .query))
        }
    }

    private func text(_ range: Range<Int>, plusIsSpace: Bool) throws(URLFault) -> String {
        if outline.hasEscapes || plusIsSpace { return try decoded(bytes[range], plusIsSpace: plusIsSpace) }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}

/// Why a parameter could not be had.
public struct RouteParameterError: Error, Hashable, CustomStringConvertible {
    /// The name that was asked for.
    public let name: String
    /// The value that was found, or nil where there is none.
    public let value: String?
    /// The type that was asked for.
    public let type: String

    /// The name, the value and the type.
    public var description: String {
        if let value {
            "the route parameter \"\(name)\" is \"\(value)\", which is no \(type)"
        } else {
            "no route parameter is named \"\(name)\"; name it in the pattern, or pass it in the query or a rewrite"
        }
    }
}
