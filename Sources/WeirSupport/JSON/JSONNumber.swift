/// A number of JSON: every integer of `Int64` and `UInt64` exactly, every other number as the nearest `Double`.
///
/// There is one form for each value: 1, 1.0 and 1e0 are the same number, equal and with one hash, and -0 is 0.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// The one form of a value: the first that can hold it exactly.
    private enum Form: Sendable, Hashable {
        case signed(Int64)
        /// Greater than `Int64.max`.
        case unsigned(UInt64)
        /// Finite, and not an integer of either kind.
        case double(Double)
    }

    private let form: Form

    /// The number of an integer.
    ///
    /// - Parameter value: any integer of 64 bits.
    public init(_ value: Int64) { form = .signed(value) }

    /// The number of an integer.
    ///
    /// - Parameter value: any integer of 64 bits without a sign.
    public init(_ value: UInt64) { form = Int64(exactly: value).map(Form.signed) ?? .unsigned(value) }

    /// The number of an integer.
    ///
    /// - Parameter value: any integer.
    public init(_ value: Int) { form = .signed(Int64(value)) }

    /// The number of a `Double`, or nil for an infinity or no number: JSON has neither (RFC 8259, section 6).
    ///
    /// - Parameter value: any finite number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let integer = Int64(exactly: value) {
            form = .signed(integer)
        } else if let integer = UInt64(exactly: value) {
            form = .unsigned(integer)
        } else {
            form = .double(value)
        }
    }

    /// The number that stands in the source.
    ///
    /// - Parameter value: any integer of 64 bits.
    public init(integerLiteral value: Int64) { self.init(value) }

    /// The value as `Int`, or nil where it is none.
    public var int: Int? { int64.flatMap(Int.init(exactly:)) }

    /// The value as `Int64`, or nil where it is none.
    public var int64: Int64? {
        guard case .signed(let value) = form else { return nil }
        return value
    }

    /// The value as `UInt64`, or nil where it is none.
    public var uint64: UInt64? {
        switch form {
        case .signed(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        case .double: nil
        }
    }

    /// The nearest `Double`; exact for all but integers beyond 2⁵³.
    public var double: Double {
        switch form {
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        }
    }

    /// The number as JSON: the shortest digits that give the same value back.
    public var description: String {
        switch form {
        case .signed(let value): value.description
        case .unsigned(let value): value.description
        case .double(let value): value.description
        }
    }
}

extension JSONNumber: Codable {
    /// Takes a number from any decoder: integers of 64 bits exactly.
    ///
    /// - Parameter decoder: the decoder that stands at a number.
    /// - Throws: the decoder's error where there is no number, or one beyond the range of `Double`.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder.singleValueContainer())
    }

    /// One attempt for most numbers: only beyond 2⁵³, where `Double` loses integers, the two others follow.
    init(from container: any SingleValueDecodingContainer) throws {
        let value = try container.decode(Double.self)
        if value.magnitude < 9_007_199_254_740_992, let number = JSONNumber(value) {
            self = number
        } else if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self.init(integer)
        } else if let number = JSONNumber(value) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(value) is no number of JSON")
        }
    }

    /// Hands the number to any encoder as `Int64`, `UInt64` or `Double`.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: the encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch form {
        case .signed(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        }
    }
}
