/// JSONValue inside other values: it goes through any encoder and decoder, and keeps an object's keys as they are,
/// whatever key strategy the coder has.
extension JSONValue: Codable {
    /// Takes whatever stands at the decoder.
    ///
    /// - Parameter decoder: any decoder of a self-describing format.
    /// - Throws: the decoder's error where the value has a fault or a kind that JSON does not know.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let leaf = try Self.leaf(container) {
            self = leaf
        } else if let elements = try Self.attempt({ try container.decode([JSONValue].self) }) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A value that holds no others, or nil. In a function of its own, which keeps the frame of a nested value small.
    @inline(never)
    private static func leaf(_ container: any SingleValueDecodingContainer) throws -> JSONValue? {
        if container.decodeNil() { return .null }
        if let text = try attempt({ try container.decode(String.self) }) { return .string(text) }
        if let number = try attempt({ try JSONNumber(from: container) }) { return .number(number) }
        return try attempt { try container.decode(Bool.self) }.map(JSONValue.bool)
    }

    /// Nil where the value is of another kind; a value of this kind with a fault in it throws on.
    @inline(never)
    private static func attempt<T>(_ decode: () throws -> T) throws -> T? {
        do {
            return try decode()
        } catch DecodingError.typeMismatch {
            return nil
        }
    }

    /// Hands the value to any encoder.
    ///
    /// An encoder recurses, and so would overflow its thread's stack: deeper than its `JSONCoder` allows, and than
    /// ``JSONGuard/deepest`` with any other encoder, a value is refused.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: ``JSONError/tooDeep(depth:limit:)``, or the encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try checkDepth(in: encoder)
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// In a function of its own, which keeps the frame of a nested value small.
    @inline(never)
    private func checkDepth(in encoder: any Encoder) throws(JSONError) {
        switch self {
        case .array, .object: break
        default: return
        }
        let limit = Self.depthLimit.flatMap { encoder.userInfo[$0] as? Int } ?? JSONGuard.deepest
        let outside = encoder.codingPath.count
        guard outside >= limit else { return }
        throw .tooDeep(depth: outside + JSONWriter(self).depth, limit: limit)
    }

    /// Under which an encoder says how deep a value may be.
    static let depthLimit = CodingUserInfoKey(rawValue: "weir.json.depth")
}
