/// What a parameter's value must look like: `:id(int)`, `:key(uuid)`, `:name([a-z]+)`.
///
/// It works on the decoded bytes of one segment and takes one step a byte. The order is that in which they are tried.
enum RouteConstraint: Sendable, Hashable, Comparable {
    /// Decimal digits after an optional sign, in the range of `Int`: whatever `Int(_:)` takes.
    case int
    /// 8-4-4-4-12 hexadecimal digits, either case.
    case uuid
    /// Whatever the expression takes.
    case expression(RouteExpression)

    /// What stands between the parentheses.
    var name: String {
        switch self {
        case .int: "int"
        case .uuid: "uuid"
        case .expression(let expression): expression.text
        }
    }

    /// The constraint with this word for a name.
    init?(word: some StringProtocol) {
        switch word {
        case "int": self = .int
        case "uuid": self = .uuid
        default: return nil
        }
    }

    func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .int: isInt(bytes)
        case .uuid: isUUID(bytes)
        case .expression(let expression): expression.takes(bytes)
        }
    }
}

private func isInt(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let negative = bytes.first == UInt8(ascii: "-")
    let digits = negative || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
    var value = 0
    for byte in digits {
        let digit = Int(byte) - 48
        guard 0...9 ~= digit else { return false }
        let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflow) =
            negative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
        guard !tooLarge, !overflow else { return false }
        value = sum
    }
    return !digits.isEmpty
}

private func isUUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 36
        && bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: hexValue(bytes[index]) != nil
            }
        }
}
