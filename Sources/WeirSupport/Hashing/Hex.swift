/// Bytes as lower-case hexadecimal digits, the form of file names and peer ids.
package enum Hex {
    /// Two digits a byte, lower case. O(n).
    package static func string(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            var end = 0
            for byte in bytes {
                digits[end] = digit(byte >> 4)
                digits[end + 1] = digit(byte & 15)
                end += 2
            }
            return end
        }
    }

    /// The bytes that `string` writes, or nil where a character is no hexadecimal digit or their number is odd. Both
    /// cases are read. O(n).
    package static func bytes(_ string: some StringProtocol) -> [UInt8]? {
        let digits = Array(string.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// The value of a digit.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
