/// The gate for JSON from outside: one scan over the bytes, before anything decodes them.
///
/// A decoder that recurses is at the mercy of its input: Foundation's `JSONDecoder` stops the whole process at 513
/// unterminated `[`. The guard turns such input into an error value. It honours strings and escapes.
public struct JSONGuard: Sendable, Hashable, CustomStringConvertible {
    /// The greatest depth that can be allowed; `JSONDecoder` does not go deeper.
    public static let deepest = 512

    /// How many arrays and objects may be open at once.
    public let depth: Int

    /// How many bytes a text may have.
    public let size: Int

    /// A guard with limits.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and objects may be open at once, at most ``deepest``, which a greater number means,
    ///     too. A recursive decoder takes 2 to 4 KiB of its thread's stack for each level: 128 fit into 512 KiB.
    ///   - size: how many bytes a text may have.
    public init(depth: Int = 128, size: Int = 4 << 20) {
        self.depth = min(max(depth, 0), Self.deepest)
        self.size = max(size, 0)
    }

    /// Passes `bytes` on to a decoder, or refuses them.
    ///
    /// What passes has at most ``size`` bytes and ``depth`` open brackets, closes every string and every bracket that
    /// it opens, and can be UTF-8. It need not be JSON yet: that is the decoder's to say. Time O(n), memory O(1); a
    /// collection whose bytes do not lie in one piece is copied first.
    ///
    /// - Parameter bytes: a JSON text in UTF-8, the only encoding that RFC 8259, section 8.1 allows between systems.
    /// - Throws: the first fault, with its offset and the limit.
    public func check(_ bytes: some Collection<UInt8>) throws(JSONGuardError) {
        let inPlace: JSONGuardError?? = bytes.withContiguousStorageIfAvailable { fault(in: UnsafeRawBufferPointer($0)) }
        if let fault = inPlace ?? Array(bytes).withUnsafeBytes({ fault(in: $0) }) { throw fault }
    }

    /// Passes the bytes of `span` on to a decoder, or refuses them; see the form for collections.
    ///
    /// - Parameter span: a JSON text in UTF-8.
    /// - Throws: the first fault, with its offset and the limit.
    public func check(_ span: RawSpan) throws(JSONGuardError) {
        if let fault = span.withUnsafeBytes({ fault(in: $0) }) { throw fault }
    }

    /// Both limits, for example `JSON of at most 4194304 bytes and 128 levels`.
    public var description: String { "JSON of at most \(size) bytes and \(depth) levels" }
}

extension JSONGuard {
    /// The first fault of a text, if there is one.
    private func fault(in bytes: UnsafeRawBufferPointer) -> JSONGuardError? {
        guard bytes.count <= size else { return .tooLarge(size: bytes.count, limit: size) }
        var open = 0
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case Byte.quote:
                switch Self.end(ofStringAt: at, in: bytes) {
                case .success(let end): at = end
                case .failure(let fault): return fault
                }
            case Byte.openBracket, Byte.openBrace:
                guard open < depth else { return .tooDeep(offset: at, limit: depth) }
                open += 1
            case Byte.closeBracket, Byte.closeBrace:
                guard open > 0 else { return .unopened(offset: at) }
                open -= 1
            case 0, 0xfe, 0xff:
                return .notUTF8(offset: at)
            default:
                break
            }
            at += 1
        }
        return open == 0 ? nil : .unterminated(offset: bytes.count, open: open)
    }

    /// Where the string that begins at `start` has its closing quote.
    ///
    /// The bytes 0, FE and FF are refused here, too: a decoder that guesses UTF-16 or UTF-32 from them would see quotes
    /// and brackets in other places than this scan.
    private static func end(
        ofStringAt start: Int, in bytes: UnsafeRawBufferPointer
    ) -> Result<Int, JSONGuardError> {
        var at = start + 1
        while at < bytes.count {
            switch bytes[at] {
            case Byte.quote: return .success(at)
            case Byte.backslash:
                let escaped = at + 1 < bytes.count ? bytes[at + 1] : 0
                at += escaped == Byte.quote || escaped == Byte.backslash ? 2 : 1
            case 0, 0xfe, 0xff: return .failure(.notUTF8(offset: at))
            default: at += 1
            }
        }
        return .failure(.unterminatedString(offset: start))
    }
}

/// Why the guard refused a text. Every case names the byte's offset, counted from 0, or the limit, or both.
public enum JSONGuardError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text has `size` bytes, more than `limit`.
    case tooLarge(size: Int, limit: Int)
    /// The bracket at `offset` would open one array or object more than `limit`.
    case tooDeep(offset: Int, limit: Int)
    /// The bracket at `offset` closes what nothing opened.
    case unopened(offset: Int)
    /// The text ends at `offset` while `open` arrays and objects are open.
    case unterminated(offset: Int, open: Int)
    /// The string that begins at `offset` does not end.
    case unterminatedString(offset: Int)
    /// The byte at `offset` cannot stand in JSON as UTF-8: the text is damaged, or UTF-16 or UTF-32.
    case notUTF8(offset: Int)

    /// The fault, its place, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let size, let limit):
            "JSON of \(size) bytes refused, the limit is \(limit); raise JSONGuard's size if such data is expected"
        case .tooDeep(let offset, let limit):
            "JSON refused at byte \(offset): deeper than the limit of \(limit) open arrays and objects; "
                + (limit < JSONGuard.deepest
                    ? "raise JSONGuard's depth if such data is expected" : "no guard lets more pass; check the data")
        case .unopened(let offset):
            "JSON refused at byte \(offset): the bracket closes nothing; check how the data was cut"
        case .unterminated(let offset, let open):
            "JSON refused: it ends at byte \(offset) with \(open) arrays and objects still open; "
                + "check that the data is complete"
        case .unterminatedString(let offset):
            "JSON refused: the string that begins at byte \(offset) does not end; check that the data is complete"
        case .notUTF8(let offset):
            "JSON refused at byte \(offset): the byte cannot stand in UTF-8 text; send JSON as UTF-8"
        }
    }
}

/// The bytes that give JSON its structure (RFC 8259, section 2).
enum Byte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
}
