/// Writes a value as compact JSON: no spaces, keys sorted, only the escapes that RFC 8259, section 7 demands.
///
/// What is open stands in a list and not on the thread's stack, so no value is too deep to be written.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// How many arrays and objects were open at once, at most.
    private(set) var depth = 0
    private var open: [Container] = []

    /// An array or object whose closing bracket has not been written yet.
    private struct Container {
        /// The keys of an object, in their order; nil is an array.
        let keys: [String]?
        let values: [JSONValue]
        var at = 0
    }

    /// Writes a whole value.
    init(_ value: JSONValue) {
        var next: JSONValue? = value
        while let value = next {
            write(value)
            next = following()
        }
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let value): bytes.append(contentsOf: value.description.utf8)
        case .string(let value): write(value)
        case .array(let elements):
            bytes.append(Byte.openBracket)
            push(Container(keys: nil, values: elements))
        case .object(let members):
            bytes.append(Byte.openBrace)
            let sorted = members.sorted { $0.key < $1.key }
            push(Container(keys: sorted.map(\.key), values: sorted.map(\.value)))
        }
    }

    private mutating func push(_ container: Container) {
        open.append(container)
        depth = max(depth, open.count)
    }

    /// The value that comes next, after its comma and its key; closes what is complete, and gives nil after the last.
    private mutating func following() -> JSONValue? {
        while let last = open.indices.last {
            let at = open[last].at
            if at < open[last].values.count {
                open[last].at = at + 1
                if at > 0 { bytes.append(Byte.comma) }
                if let key = open[last].keys?[at] {
                    write(key)
                    bytes.append(Byte.colon)
                }
                return open[last].values[at]
            }
            bytes.append(open[last].keys == nil ? Byte.closeBracket : Byte.closeBrace)
            open.removeLast()
        }
        return nil
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
