import Foundation

/// Any JSON text as a value: for data whose shape is not known when the program is written.
///
/// Made from a text, from literals, or from any decoder; two values are equal where they mean the same, whatever the
/// order of keys and the spelling of numbers and strings.
///
/// A text that is read has at most ``JSONGuard/deepest`` levels. A value that a program nests deeper by itself can be
/// written, and an encoder refuses it; but the release of an array inside an array recurses, as that of any such value
/// does, and so do `==` and `hash`. Measured on Linux, a stack of 512 KiB takes 3,400 levels at release and 2,900 in `==`, in
/// a debug build 2,300 and 800.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number; integers of 64 bits are exact.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by key, without an order.
    case object([String: JSONValue])

    /// The value that a JSON text writes (RFC 8259), read by a strict parser without recursion. O(n).
    ///
    /// A byte order mark before the text is skipped. Two equal keys in one object are an error, since one value would
    /// be lost.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8: `Data`, `[UInt8]`, a string's `utf8`.
    ///   - limits: the guard that the text passes first.
    /// - Throws: what the guard refused, or the first byte that is not JSON.
    public init(parsing bytes: some Collection<UInt8>, within limits: JSONGuard = JSONGuard()) throws(JSONError) {
        let inPlace = bytes.withContiguousStorageIfAvailable { JSONParser.value(of: $0, within: limits) }
        self = try (inPlace ?? Array(bytes).withUnsafeBufferPointer { JSONParser.value(of: $0, within: limits) }).get()
    }

    /// The value that a JSON text writes; see the form for bytes.
    ///
    /// - Parameters:
    ///   - text: the JSON text.
    ///   - limits: the guard that the text passes first.
    /// - Throws: what the guard refused, or the first byte that is not JSON.
    public init(parsing text: String, within limits: JSONGuard = JSONGuard()) throws(JSONError) {
        try self.init(parsing: text.utf8, within: limits)
    }

    /// The value as compact JSON in UTF-8, keys sorted: equal values have equal bytes. O(n), O(k log k) for k keys.
    public func data() -> Data { Data(JSONWriter(self).bytes) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON, keys sorted, the same text as ``data()``.
    public var description: String { String(decoding: JSONWriter(self).bytes, as: UTF8.self) }
}

extension JSONValue {
    /// The value of a number, or nil for an infinity or no number.
    ///
    /// - Parameter value: any finite number.
    public init?(_ value: Double) {
        guard let number = JSONNumber(value) else { return nil }
        self = .number(number)
    }

    /// The value of an integer.
    ///
    /// - Parameter value: any integer.
    public init(_ value: Int) { self = .number(JSONNumber(value)) }

    /// The value of a truth.
    ///
    /// - Parameter value: true or false.
    public init(_ value: Bool) { self = .bool(value) }

    /// The value of a text.
    ///
    /// - Parameter value: any text.
    public init(_ value: String) { self = .string(value) }
}

extension JSONValue {
    /// The value of a key, or nil where this is no object or has no such key. A key that holds `null` gives `.null`.
    ///
    /// - Parameter key: the key, as in `value["photos"]?[0]?["title"]`.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The element at an index, or nil where this is no array or has no such index.
    ///
    /// - Parameter index: any number; the first element has 0.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth, or nil where this is none.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, or nil where this is none.
    public var number: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The integer, or nil where this is none: 1.5 and text give nil, 1.0 gives 1.
    public var int: Int? { number?.int }

    /// The number as the nearest `Double`, or nil where this is none.
    public var double: Double? { number?.double }

    /// The text, or nil where this is none.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, or nil where this is no array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The values by key, or nil where this is no object.
    public var object: [String: JSONValue]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    /// `null`.
    ///
    /// - Parameter nilLiteral: nothing.
    public init(nilLiteral: ()) { self = .null }

    /// A truth that stands in the source.
    ///
    /// - Parameter value: true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer that stands in the source.
    ///
    /// - Parameter value: any integer of 64 bits.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// A number that stands in the source. One beyond the range of `Double`, of which the compiler warns, is `null`.
    ///
    /// - Parameter value: any finite number.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }

    /// A text that stands in the source.
    ///
    /// - Parameter value: any text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array that stands in the source.
    ///
    /// - Parameter elements: its elements.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object that stands in the source. Of equal keys the last counts.
    ///
    /// - Parameter elements: its keys and values.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
