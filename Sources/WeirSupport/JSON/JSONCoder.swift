import Foundation

/// JSON for the core's `decode` and `encode`, and for whatever else turns values into data: guarded, with readable
/// errors, and the same options both ways.
public struct JSONCoder: ElementDecoder, CustomStringConvertible {
    /// How a property's name and a key of the JSON correspond.
    public enum Keys: Sendable, Hashable {
        /// Both are the same.
        case asWritten
        /// `photoTitle` in the program is `photo_title` in the JSON. A name with two capitals in a row does not come
        /// back from there: `photoURL` is written `photo_url`, which reads as `photoUrl`; give it a coding key.
        case snakeCase
    }

    /// How a date stands in the JSON.
    public enum Dates: Sendable, Hashable {
        /// Seconds since the first of January 2001, UTC, as a number: the one form that loses nothing.
        case secondsSince2001
        /// Seconds since the first of January 1970, UTC, as a number.
        case secondsSince1970
        /// Milliseconds since the first of January 1970, UTC, as a number.
        case millisecondsSince1970
        /// Text by RFC 3339, as in `2026-03-01T12:00:00.000Z`: written with milliseconds, read with or without.
        case iso8601
    }

    /// How names and keys correspond.
    public let keys: Keys
    /// How dates are written.
    public let dates: Dates
    /// What data may be decoded and encoded.
    public let limits: JSONGuard

    /// A coder.
    ///
    /// - Parameters:
    ///   - keys: how names and keys correspond.
    ///   - dates: how dates are written.
    ///   - limits: the guard that data passes before it is decoded and after it is encoded: what this coder writes it
    ///     can read.
    public init(keys: Keys = .asWritten, dates: Dates = .secondsSince2001, limits: JSONGuard = JSONGuard()) {
        self.keys = keys
        self.dates = dates
        self.limits = limits
    }

    /// The value that `input` writes. A `JSONValue` is read by its own strict parser, all else by `JSONDecoder`,
    /// which forgives a comma before a closing bracket.
    ///
    /// - Parameters:
    ///   - type: the value's type.
    ///   - input: a JSON text in UTF-8.
    /// - Throws: ``JSONError``; what the type's own `init(from:)` throws passes as it is.
    public func decode<T: Decodable & Sendable>(_ type: T.Type, from input: Data) throws -> T {
        if type == JSONValue.self, let value = try JSONValue(parsing: input, within: limits) as? T { return value }
        try passGuard(input)
        do {
            return try decoder().decode(type, from: input)
        } catch let error as DecodingError {
            throw syntaxError(in: input, after: error) ?? JSONError(error, decoding: type)
        }
    }

    /// The JSON of `value`: compact, keys sorted, so equal values have equal bytes.
    ///
    /// - Parameter value: the value.
    /// - Throws: ``JSONError``; what the value's own `encode(to:)` throws passes as it is.
    public func encode<T: Encodable & Sendable>(_ value: T) throws -> Data {
        if let value = value as? JSONValue { return try encode(value) }
        let data: Data
        do {
            data = try encoder().encode(value)
        } catch let error as EncodingError {
            throw JSONError(error, encoding: T.self)
        }
        try passGuard(data)
        return data
    }

    /// The options, for example `JSONCoder(keys: snakeCase, dates: iso8601)`.
    public var description: String { "JSONCoder(keys: \(keys), dates: \(dates))" }
}

extension JSONCoder {
    private func encode(_ value: JSONValue) throws(JSONError) -> Data {
        let writer = JSONWriter(value)
        guard writer.depth <= limits.depth else { throw .tooDeep(depth: writer.depth, limit: limits.depth) }
        let data = Data(writer.bytes)
        try passGuard(data)
        return data
    }

    private func passGuard(_ data: Data) throws(JSONError) {
        do throws(JSONGuardError) {
            try limits.check(data)
        } catch {
            throw .refused(error)
        }
    }

    /// Where the text is no JSON: `JSONDecoder` says on Linux that it is none, but not where.
    private func syntaxError(in input: Data, after error: DecodingError) -> JSONError? {
        guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return nil }
        do throws(JSONError) {
            _ = try JSONValue(parsing: input, within: limits)
            return nil
        } catch {
            return error
        }
    }

    /// A new one each time: it costs 70 ns, and is nobody else's.
    private func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        if keys == .snakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        switch dates {
        case .secondsSince2001: decoder.dateDecodingStrategy = .deferredToDate
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: decoder.dateDecodingStrategy = .custom(Self.date(from:))
        }
        return decoder
    }

    private func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        if let key = JSONValue.depthLimit { encoder.userInfo[key] = limits.depth }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if keys == .snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        switch dates {
        case .secondsSince2001: encoder.dateEncodingStrategy = .deferredToDate
        case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
        case .iso8601:
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(date.formatted(Self.withMilliseconds))
            }
        }
        return encoder
    }

    private static let withMilliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if let date = (try? withMilliseconds.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) {
            return date
        }
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "expected a date like 2026-03-01T12:00:00Z, found \"\(text)\"")
    }
}

extension JSONError {
    /// A decoder's error in this type's words.
    init(_ error: DecodingError, decoding type: Any.Type) {
        let name = "\(type)"
        switch error {
        case .keyNotFound(let key, let context):
            let path = Self.path(context.codingPath)
            self = .mismatch(type: name, path: path, reason: "the key \"\(key.stringValue)\" is missing")
        case .valueNotFound(let wanted, let context):
            self = .mismatch(
                type: name, path: Self.path(context.codingPath), reason: "expected \(wanted), found null or the end")
        case .typeMismatch(_, let context):
            self = .mismatch(type: name, path: Self.path(context.codingPath), reason: context.debugDescription)
        case .dataCorrupted(let context):
            self = .mismatch(type: name, path: Self.path(context.codingPath), reason: context.debugDescription)
        @unknown default:
            self = .mismatch(type: name, path: Self.path([]), reason: "\(error)")
        }
    }

    /// An encoder's error in this type's words.
    init(_ error: EncodingError, encoding type: Any.Type) {
        switch error {
        case .invalidValue(_, let context):
            self = .unencodable(
                type: "\(type)", path: Self.path(context.codingPath), reason: context.debugDescription)
        @unknown default:
            self = .unencodable(type: "\(type)", path: Self.path([]), reason: "\(error)")
        }
    }

    /// A path as one writes it: `photos[3].title`.
    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "the top level" : path
    }
}
