/// Percent decoding of one segment, one name or one value: once, and only into valid UTF-8 (RFC 3986, section 2.1).

/// `bytes` with every escape replaced by its byte.
///
/// - Parameter plusIsSpace: reads `+` as a space, as forms write queries.
/// - Returns: the text; or the fault, with its offset in `bytes`.
func percentDecoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> Result<String, URLFault> {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var offset = 0
    var rest = bytes[...]
    while !rest.isEmpty {
        guard let (byte, length) = popDecoded(&rest, plusIsSpace) else {
            let escape = String(decoding: bytes.dropFirst(offset).prefix(3), as: UTF8.self)
            return .failure(URLFault(offset: offset, reason: "\"\(escape)\" is no escape; write a literal % as %25"))
        }
        decoded.append(byte)
        offset += length
    }
    guard let text = String(validating: decoded, as: UTF8.self) else { return .failure(firstNonText(in: bytes)) }
    return .success(text)
}

/// Takes one byte or one escape off the front; nil where a percent sign starts no escape.
private func popDecoded<Bytes: Collection<UInt8>>(
    _ rest: inout Bytes, _ plusIsSpace: Bool
) -> (byte: UInt8, length: Int)? where Bytes.SubSequence == Bytes {
    switch rest.popFirst() {
    case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
            return nil
        }
        return (high << 4 | low, 3)
    case UInt8(ascii: "+") where plusIsSpace: return (UInt8(ascii: " "), 1)
    case let byte?: return (byte, 1)
    case nil: return nil
    }
}

/// The fault of a text whose escapes are well formed and decode to no UTF-8. Only a bad URL pays for the search.
private func firstNonText(in bytes: some Collection<UInt8>) -> URLFault {
    var offset = 0
    var start = 0
    var character: [UInt8] = []
    var rest = bytes[...]
    while character.count < 4, let (byte, length) = popDecoded(&rest, false) {
        character.append(byte)
        offset += length
        if String(validating: character, as: UTF8.self) != nil {
            character.removeAll()
            start = offset
        }
    }
    let escape = String(decoding: bytes.dropFirst(start).prefix(3), as: UTF8.self)
    return URLFault(offset: start, reason: "\"\(escape)\" starts no UTF-8 character")
}

/// The value of a hexadecimal digit of either case.
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
