import Foundation
import Testing
import WeirSupport
import WeirTestSupport

@Test(
    arguments: [
        ("null", .null), (" true\n", true), ("false", false), ("\u{feff}[1]", [1]), ("[]", []), ("{}", [:]),
        ("[ ]", []),
        ("{ }", [:]), ("[[],{}]", [[], [:]]), ("\t[ 1 , 2 ]\r\n", [1, 2]),
        (#"{"a":{"b":[null]}}"#, ["a": ["b": [nil]]]),
        (#"{"":""}"#, ["": ""]), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0000""#, "\0"),
        (#""\u00e9é\u20AC""#, "éé€"), (#""a\ud83d\ude00b""#, "a😀b"), (#""\u005B""#, "["),
        ("\"\u{7f}\u{2028}\"", "\u{7f}\u{2028}"),
    ] as [(String, JSONValue)])
func jsonIsRead(text: String, expected: JSONValue) throws {
    let value = try JSONValue(parsing: text)
    #expect(value == expected)
    #expect(try JSONValue(parsing: Data(text.utf8)) == expected)
    #expect(try JSONValue(parsing: Array(text.utf8).reversed().lazy.reversed()) == expected)
    #expect(try JSONValue(parsing: value.data()) == expected)
}

@Test(arguments: [
    ("", 0, "expected a value, found the end"), ("  ", 2, "expected a value, found the end"),
    ("[1,]", 3, "expected a value, found ']'"), ("[,1]", 1, "expected a value, found ','"),
    ("[1 2]", 3, "expected ',' or ']', found '2'"), ("{\"a\":1]", 6, "expected ',' or '}', found ']'"),
    ("[1}", 2, "expected ',' or ']', found '}'"), ("{\"a\" 1}", 5, "expected ':', found '1'"),
    ("{a:1}", 1, "expected a key in quotes, found 'a'"), ("{\"a\":1,}", 7, "expected a key in quotes, found '}'"),
    ("{1:1}", 1, "expected a key in quotes, found '1'"), ("1 2", 2, "expected the end of the text, found '2'"),
    ("nul", 0, "expected 'null', found 'n'"), ("True", 0, "expected a value, found 'T'"),
    ("truefalse", 4, "expected the end of the text, found 'f'"),
    ("'a'", 0, "expected a value, found '''"), ("// a\n1", 0, "expected a value, found '/'"),
    ("+1", 0, "expected a value, found '+'"), (".5", 0, "expected a value, found '.'"),
    ("-", 1, "expected a digit, found the end"), ("-a", 1, "expected a digit, found 'a'"),
    ("1.", 2, "expected a digit, found the end"), ("[1.e1]", 3, "expected a digit, found 'e'"),
    ("1e", 2, "expected a digit, found the end"), ("1e+", 3, "expected a digit, found the end"),
    ("01", 0, "expected a number without leading zeros, found '0'"),
    ("-00", 1, "expected a number without leading zeros, found '0'"),
    ("0x1", 1, "expected the end of the text, found 'x'"), ("NaN", 0, "expected a value, found 'N'"),
    ("1e400", 0, "the number is beyond the range of Double"),
    ("[-1e400]", 1, "the number is beyond the range of Double"),
    ("\"a\tb\"", 2, "expected an escape for this control character, found the byte 0x09"),
    ("\"\\x\"", 2, "expected one of \"\\/bfnrtu after a backslash, found 'x'"),
    ("\"\\u12g4\"", 5, "expected a hexadecimal digit, found 'g'"),
    ("\"\\u12\"", 5, "expected a hexadecimal digit, found '\"'"),
    ("[\"\\ud800\"]", 2, "half of a surrogate pair stands alone"),
    ("\"\\udc00\\ud800\"", 1, "half of a surrogate pair stands alone"),
    ("\"\\ud800\\u0041\"", 1, "half of a surrogate pair stands alone"),
    ("{\"a\":1,\"b\":2,\"\\u0061\":3}", 13, "the key \"a\" stands here again"),
    ("\u{a0}1", 0, "expected a value, found the byte 0xc2"),
])
func whatIsNoJSONIsNamedWithItsPlace(text: String, offset: Int, reason: String) {
    #expect(throws: JSONError.malformed(offset: offset, reason: reason)) { try JSONValue(parsing: text) }
}

@Test(arguments: [[0xc3], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]])
func stringsThatAreNotUTF8AreRefused(bytes: [UInt8]) {
    for escape in [[], Array("\\n".utf8)] {
        let text = Array("[\"".utf8) + escape + bytes + Array("\"]".utf8)
        #expect(throws: JSONError.malformed(offset: 1, reason: "the string is not UTF-8")) {
            try JSONValue(parsing: text)
        }
    }
}

@Test(arguments: [
    ("0", JSONNumber(0)), ("-0", 0), ("-0.0", 0), ("1.0", 1), ("1e2", 100), ("10E-1", 1), ("0e7", 0), ("-12", -12),
    ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", JSONNumber(Int64.max)),
    ("-9223372036854775808", JSONNumber(Int64.min)), ("9223372036854775808", JSONNumber(UInt64(1) << 63)),
    ("18446744073709551615", JSONNumber(UInt64.max)),
])
func integersOf64BitsAreExact(text: String, expected: JSONNumber) throws {
    #expect(try JSONValue(parsing: text) == .number(expected))
    #expect(try JSONValue(parsing: expected.description) == .number(expected))
}

@Test(arguments: [
    ("0.1", 0.1), ("-2.5", -2.5), ("1.5e300", 1.5e300), ("18446744073709551616", 18_446_744_073_709_551_616),
    ("-9223372036854775809", -9_223_372_036_854_775_808), ("5e-324", Double.leastNonzeroMagnitude), ("1e-400", 0),
    ("1e23", 1e23),
    ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
])
func otherNumbersAreTheNearestDouble(text: String, expected: Double) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.double == expected)
    #expect(try JSONValue(parsing: value.data()) == value)
}

/// A text of one kind of byte after the other must end in a value or an error, and a value must survive its own text.
@Test(.ownThread) func damagedJSONIsAValueOrAnError() throws {
    let whole = Array(#"{"a":[1,2.5,-3e2,true,null,"x\nAé😀"],"b":{"c":{}},"d":"\ud83d\ude00"}"#.utf8)
    let marks = Array("[]{}\",:\\0-+.eEtn ".utf8) + [0x00, 0x1f, 0x80, 0xc3, 0xff]
    var (values, errors) = (0, 0)
    for place in whole.indices {
        for mark in marks {
            for replaced in [0, 1] {
                var damaged = whole
                damaged.replaceSubrange(place..<(place + replaced), with: [mark])
                do {
                    let value = try JSONValue(parsing: damaged)
                    #expect(try JSONValue(parsing: value.data()) == value)
                    values += 1
                } catch {
                    errors += 1
                }
                _ = try? JSONCoder().decode([String: JSONValue].self, from: Data(damaged))
            }
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: whole[..<place]) }
    }
    #expect(values > 100 && errors > 1_000, "\(values) values, \(errors) errors")
}
