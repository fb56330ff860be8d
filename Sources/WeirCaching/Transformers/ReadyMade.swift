// Transformers that everybody needs: data and text, data and JSON, values and their written forms.

import Foundation
import Weir
import WeirSupport

/// What a ready-made transformer cannot read or write.
public enum TransformFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes are no text in this encoding.
    case notText(String.Encoding)
    /// The text has characters that this encoding does not.
    case notEncodable(String.Encoding)
    /// The text is not of the form that the formatter reads; its beginning.
    case notOfThisForm(String)
    /// Values of this type can be read, but not written.
    case onlyDecodes(String)

    /// A sentence.
    public var description: String {
        switch self {
        case .notText(let encoding): "the bytes are no text in \(encoding)"
        case .notEncodable(let encoding): "the text has characters that \(encoding) does not; take .utf8"
        case .onlyDecodes(let type): "\(type) can be read, but not written; make it Encodable to set it"
        case .notOfThisForm(let text): "\"\(text)\" is not of the form that the formatter reads"
        }
    }
}

extension TwoWayTransformer where Self == TwoWay<Data, String> {
    /// Data as text, and back.
    ///
    /// - Parameter encoding: of the text; `notText` and `notEncodable` where it does not fit.
    public static func text(_ encoding: String.Encoding = .utf8) -> TwoWay<Data, String> {
        TwoWay(
            { data in
                guard let text = String(data: data, encoding: encoding) else {
                    throw TransformFailure.notText(encoding)
                }
                return text
            },
            inverse: { text in
                guard let data = text.data(using: encoding) else { throw TransformFailure.notEncodable(encoding) }
                return data
            })
    }
}

extension TwoWayTransformer where Self == TwoWay<Data, JSONValue> {
    /// Data as a JSON value, and back.
    ///
    /// - Parameter limits: how long and how deep the JSON may be.
    public static func json(within limits: JSONGuard = JSONGuard()) -> TwoWay<Data, JSONValue> {
        TwoWay({ try JSONValue(parsing: $0, within: limits) }, inverse: { $0.data() })
    }
}

extension TwoWayTransformer {
    /// Data as a value that JSON can hold, and back.
    ///
    /// - Parameters:
    ///   - type: of the value.
    ///   - coder: how keys and dates are written, and how long and deep the JSON may be.
    public static func json<Model: Codable & Sendable>(
        as type: Model.Type, by coder: JSONCoder = JSONCoder()
    ) -> TwoWay<Data, Model> where Self == TwoWay<Data, Model> {
        TwoWay({ try coder.decode(Model.self, from: $0) }, inverse: { try coder.encode($0) })
    }
}

extension OneWayTransformer {
    /// Data as a value that can be read from JSON.
    ///
    /// - Parameters:
    ///   - type: of the value.
    ///   - coder: how keys and dates are written, and how long and deep the JSON may be.
    public static func decodingJSON<Model: Decodable & Sendable>(
        as type: Model.Type, by coder: JSONCoder = JSONCoder()
    ) -> OneWay<Data, Model> where Self == OneWay<Data, Model> {
        OneWay { try coder.decode(Model.self, from: $0) }
    }
}

extension TwoWayTransformer {
    /// A value as it is written by a format style of Foundation, and back: dates, numbers, currencies, URLs.
    ///
    /// - Parameter style: as in `.date(.iso8601)`; a text that it cannot read fails with its own error.
    public static func written<Style: ParseableFormatStyle & Sendable>(
        _ style: Style
    ) -> TwoWay<Style.FormatInput, String>
    where
        Self == TwoWay<Style.FormatInput, String>, Style.FormatInput: Sendable, Style.FormatOutput == String
    {
        TwoWay({ style.format($0) }, inverse: { try style.parseStrategy.parse($0) })
    }
}

extension TwoWayTransformer where Self == TwoWay<Date, String> {
    /// A date as a `DateFormatter` writes it, and back.
    ///
    /// - Parameter formatter: makes a formatter, anew for each value: a formatter is not shared between threads.
    public static func date(_ formatter: @escaping @Sendable () -> DateFormatter) -> TwoWay<Date, String> {
        TwoWay(
            { formatter().string(from: $0) },
            inverse: { text in
                guard let date = formatter().date(from: text) else {
                    throw TransformFailure.notOfThisForm(String(text.prefix(40)))
                }
                return date
            })
    }
}

extension TwoWayTransformer where Self == TwoWay<Double, String> {
    /// A number as a `NumberFormatter` writes it, and back.
    ///
    /// - Parameter formatter: makes a formatter, anew for each value: a formatter is not shared between threads.
    public static func number(_ formatter: @escaping @Sendable () -> NumberFormatter) -> TwoWay<Double, String> {
        TwoWay(
            { number in
                guard let text = formatter().string(from: NSNumber(value: number)) else {
                    throw TransformFailure.notOfThisForm("\(number)")
                }
                return text
            },
            inverse: { text in
                guard let number = formatter().number(from: text) else {
                    throw TransformFailure.notOfThisForm(String(text.prefix(40)))
                }
                return number.doubleValue
            })
    }
}
