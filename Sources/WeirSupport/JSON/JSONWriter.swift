/// Writes a value as compact JSON: no spaces, keys sorted, only the escapes that RFC 8259, section 7 demands.
struct JSONWriter {
    private var bytes: [UInt8] = []

    static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(value)
        return writer.bytes
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let value): bytes.append(contentsOf: value.description.utf8)
        case .string(let value): write(value)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(Byte.openBracket)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            write(element)
        }
        bytes.append(Byte.closeBracket)
    }

    private mutating func write(_ members: [String: JSONValue]) {
        bytes.append(Byte.openBrace)
        for (index, (key, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(Byte.comma) }
            write(key)
            bytes.append(Byte.colon)
            write(value)
        }
        bytes.append(Byte.closeBrace)
    }

    private mutating func write(_ text: String) {
        bytes.append(Byte.quote)
        for byte in text.utf8 {
            switch byte {
            case Byte.quote: append("\\\"")
            case Byte.backslash: append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0a: append("\\n")
            case 0x0c: append("\\f")
            case 0x0d: append("\\r")
            case 0..<0x20:
                append("\\u00")
                bytes.append(Hex.digit(byte >> 4))
                bytes.append(Hex.digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(Byte.quote)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
