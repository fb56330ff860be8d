/// Reads the parts of a JSON text that hold no others: words, numbers, strings (RFC 8259, sections 3, 6 and 7).
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next byte.
    var at = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// Skips EF BB BF before the text, which section 8.1 allows a reader to ignore.
    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    }

    /// The next byte that is no space, or nil at the end.
    mutating func peekToken() -> UInt8? {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
        return next
    }

    /// Skips spaces, and `token` where it stands there.
    mutating func skip(_ token: UInt8) -> Bool {
        guard peekToken() == token else { return false }
        at += 1
        return true
    }

    /// The error for the byte that stands here.
    func unexpected(_ expected: String) -> JSONError {
        let found =
            switch next {
            case nil: "the end"
            case let byte? where byte > 0x20 && byte < 0x7f: "'\(Character(Unicode.Scalar(byte)))'"
            case let byte?: "the byte 0x\(Hex.string(CollectionOfOne(byte)))"
            }
        return .malformed(offset: at, reason: "expected \(expected), found \(found)")
    }

    /// A word, a number or a string.
    mutating func leaf() throws(JSONError) -> JSONValue {
        switch next {
        case Byte.quote: return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10: return .number(try number())
        default: throw unexpected("a value")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[at...].starts(with: word.utf8) else { throw unexpected("'\(word)'") }
        at += word.utf8.count
        return value
    }
}

extension JSONScanner {
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = at
        let negative = take { $0 == UInt8(ascii: "-") }
        let digits = try self.digits(leadingZero: false)
        var isInteger = true
        if take({ $0 == UInt8(ascii: ".") }) {
            isInteger = false
            _ = try self.digits(leadingZero: true)
        }
        if take({ $0 | 0x20 == UInt8(ascii: "e") }) {
            isInteger = false
            _ = take { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            _ = try self.digits(leadingZero: true)
        }
        if isInteger, let exact = Self.integer(bytes[digits], negative: negative) { return exact }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        guard let number = Double(text).flatMap(JSONNumber.init(_:)) else {
            throw .malformed(offset: start, reason: "the number is beyond the range of Double")
        }
        return number
    }

    private mutating func take(_ matches: (UInt8) -> Bool) -> Bool {
        guard let byte = next, matches(byte) else { return false }
        at += 1
        return true
    }

    /// One digit or more; a number's first may not be a 0 with others behind it.
    private mutating func digits(leadingZero: Bool) throws(JSONError) -> Range<Int> {
        let start = at
        while let byte = next, byte &- 0x30 < 10 { at += 1 }
        guard at > start else { throw unexpected("a digit") }
        if !leadingZero, bytes[start] == 0x30, at > start + 1 {
            at = start
            throw unexpected("a number without leading zeros")
        }
        return start..<at
    }

    /// The integer of some digits where 64 bits hold it.
    private static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>, negative: Bool) -> JSONNumber? {
        var magnitude: UInt64 = 0
        for digit in digits {
            let (shifted, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, tooLargeAgain) = shifted.addingReportingOverflow(UInt64(digit &- 0x30))
            if tooLarge || tooLargeAgain { return nil }
            magnitude = sum
        }
        if !negative { return JSONNumber(magnitude) }
        return magnitude > Int64.min.magnitude ? nil : JSONNumber(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
}

extension JSONScanner {
    /// The text between this quote and the closing one.
    mutating func string() throws(JSONError) -> String {
        let start = at
        at += 1
        var part = skipPlain()
        guard next != Byte.quote else {
            at += 1
            return try Self.text(UnsafeBufferPointer(rebasing: bytes[part]), offset: start)
        }
        var unescaped: [UInt8] = []
        while let byte = next {
            unescaped.append(contentsOf: bytes[part])
            if byte == Byte.quote {
                at += 1
                return try unescaped.withUnsafeBufferPointer { bytes throws(JSONError) in
                    try Self.text(bytes, offset: start)
                }
            }
            guard byte == Byte.backslash else { throw unexpected("an escape for this control character") }
            at += 1
            try escape(into: &unescaped)
            part = skipPlain()
        }
        throw unexpected("'\"'")
    }

    /// Skips what means itself: all but quotes, backslashes and control characters.
    private mutating func skipPlain() -> Range<Int> {
        let start = at
        while let byte = next, byte >= 0x20, byte != Byte.quote, byte != Byte.backslash { at += 1 }
        return start..<at
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformed(offset: offset, reason: "the string is not UTF-8")
        }
        return text
    }

    /// Reads what follows a backslash.
    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        switch next {
        case Byte.quote, Byte.backslash, UInt8(ascii: "/"): text.append(bytes[at])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            text.append(contentsOf: String(try scalar()).utf8)
            return
        default: throw unexpected("one of \"\\/bfnrtu after a backslash")
        }
        at += 1
    }

    /// The character of `uXXXX`, or of the two such that make a surrogate pair.
    private mutating func scalar() throws(JSONError) -> Character {
        let start = at - 1
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        if first < 0xdc00, next == Byte.backslash, at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "u") {
            at += 1
            let second = try unit()
            if (0xdc00...0xdfff).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
            {
                return Character(scalar)
            }
        }
        throw .malformed(offset: start, reason: "half of a surrogate pair stands alone")
    }

    /// The value of `uXXXX`.
    private mutating func unit() throws(JSONError) -> UInt32 {
        at += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let value = next.flatMap(Hex.value) else { throw unexpected("a hexadecimal digit") }
            unit = unit << 4 | UInt32(value)
            at += 1
        }
        return unit
    }
}
