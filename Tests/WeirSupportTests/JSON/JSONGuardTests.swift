import Foundation
import Testing
import WeirSupport
import WeirTestSupport

/// What opens a level; the text is never closed.
private let openings: [[String]] = [
    ["["], ["{\"a\":"], ["[", "{\"a\":"], ["[1,", "{\"b\":1,\"a\":"], [" [ \n", "{ \"[\\\"\" : "], ["[\"]\","],
]

private let depths = Array(1...1_024) + [100_000]

private func unterminated(_ opening: [String], _ depth: Int) -> String {
    var text = ""
    for level in 0..<depth { text += opening[level % opening.count] }
    return text
}

/// `JSONDecoder` stops the process at 513 unterminated `[`; behind the guard every depth is an error value.
@Test(.ownThread, arguments: openings) func unterminatedJSONIsAnErrorAtEveryDepth(opening: [String]) {
    let coder = JSONCoder()
    for depth in depths {
        let text = unterminated(opening, depth)
        let fault = #expect(throws: JSONGuardError.self) { try JSONGuard().check(text.utf8) }
        switch fault {
        case .tooDeep(_, let limit): #expect(depth > 128 && limit == 128)
        case .unterminated(let offset, let open): #expect(depth <= 128 && open == depth && offset == text.utf8.count)
        default: Issue.record("depth \(depth): \(String(describing: fault))")
        }
        guard let fault else { continue }
        #expect(throws: JSONError.refused(fault)) { try JSONValue(parsing: text) }
        #expect(throws: JSONError.refused(fault)) { try coder.decode(JSONValue.self, from: Data(text.utf8)) }
        #expect(throws: JSONError.refused(fault)) { try coder.decode([Int].self, from: Data(text.utf8)) }
    }
}

/// The guard alone already refuses these; that the decoder does, too, is the second wall.
@Test(.ownThread, arguments: openings) func theDecoderItselfRefusesUnterminatedJSONWithinTheLimit(opening: [String]) {
    for depth in 1...128 {
        let text = unterminated(opening, depth)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
    }
}

@Test func theDepthLimitIsExact() throws {
    for depth in [0, 1, 2, 127, 128, 129, 512] {
        let gate = JSONGuard(depth: depth)
        let fitting = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        try gate.check(fitting.utf8)
        #expect(throws: JSONGuardError.tooDeep(offset: depth, limit: depth)) { try gate.check("[\(fitting)]".utf8) }
        try JSONGuard(depth: 1).check("[\(String(repeating: "1,", count: depth))1]".utf8)
    }
    #expect(JSONGuard(depth: 100_000).depth == JSONGuard.deepest)
    #expect(JSONGuard(depth: -1).depth == 0)
    try JSONGuard(depth: 1).check("[][][]{}".utf8)
}

@Test(.ownThread) func theSizeLimitIsExact() throws {
    let gate = JSONGuard(size: 10)
    try gate.check("[12345678]".utf8)
    #expect(throws: JSONGuardError.tooLarge(size: 11, limit: 10)) { try gate.check("[123456789]".utf8) }
    try JSONGuard().check([UInt8](repeating: 0x20, count: 4 << 20))
    #expect(throws: JSONGuardError.tooLarge(size: 4_194_305, limit: 4_194_304)) {
        try JSONGuard().check([UInt8](repeating: 0x20, count: 4 << 20 + 1))
    }
}

@Test(arguments: [
    "", " ", "1", #""[[[""#, #""\"[""#, #""\\""#, #"["]"]"#, #"{"a\\":"[","b\"":"{"}"#, #""\\\"[""#, "nonsense",
])
func whatIsBalancedPasses(text: String) throws {
    try JSONGuard(depth: 1).check(text.utf8)
}

@Test(
    arguments: [
        ("]", .unopened(offset: 0)), ("[]}", .unopened(offset: 2)),
        ("\"", .unterminatedString(offset: 0)), ("[\"a\\\"]", .unterminatedString(offset: 1)),
        ("\"\\", .unterminatedString(offset: 0)), ("[\"\\\\\\\"]", .unterminatedString(offset: 1)),
        ("[", .unterminated(offset: 1, open: 1)), ("[{}", .unterminated(offset: 3, open: 1)),
        ("1\0", .notUTF8(offset: 1)), ("\"\0\"", .notUTF8(offset: 1)), ("\"\\\0\"", .notUTF8(offset: 2)),
    ] as [(String, JSONGuardError)])
func whatIsNotBalancedIsNamedWithItsPlace(text: String, fault: JSONGuardError) {
    #expect(throws: fault) { try JSONGuard().check(text.utf8) }
}

/// In UTF-16 the bytes of other characters look like quotes, and would hide brackets from a scan over bytes.
@Test func otherEncodingsAreRefused() {
    let text = "[\"\u{2200}\"," + String(repeating: "[", count: 600)
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian] {
        let data = text.data(using: encoding) ?? Data()
        #expect(data.count > 1_000)
        let fault = #expect(throws: JSONGuardError.self) { try JSONGuard().check(data) }
        if case .notUTF8(let offset)? = fault { #expect(offset < 2) } else { Issue.record("\(encoding)") }
    }
}

@Test func everyFormOfBytesIsTaken() throws {
    let bytes = Array("[[1]]".utf8)
    let gate = JSONGuard(depth: 1)
    let fault = JSONGuardError.tooDeep(offset: 1, limit: 1)
    #expect(throws: fault) { try gate.check(bytes) }
    #expect(throws: fault) { try gate.check(Data(bytes)) }
    #expect(throws: fault) { try gate.check(([7] + bytes).dropFirst()) }
    #expect(throws: fault) { try gate.check(bytes.reversed().lazy.reversed()) }
    #expect(throws: fault) { try bytes.withUnsafeBytes { try gate.check($0) } }
    let span = bytes.span
    do throws(JSONGuardError) {
        try gate.check(span.bytes)
        Issue.record("the span passed")
    } catch {
        #expect(error == fault)
    }
    try JSONGuard(depth: 2).check(span.bytes)
}

@Test func refusalsSayWhatToDo() {
    let faults: [JSONGuardError] = [
        .tooLarge(size: 11, limit: 10), .tooDeep(offset: 128, limit: 128), .unopened(offset: 3),
        .unterminated(offset: 9, open: 2), .unterminatedString(offset: 4), .notUTF8(offset: 0),
    ]
    #expect(
        faults.map(\.description) == [
            "JSON of 11 bytes refused, the limit is 10; raise JSONGuard's size if such data is expected",
            "JSON refused at byte 128: deeper than the limit of 128 open arrays and objects; "
                + "raise JSONGuard's depth if such data is expected",
            "JSON refused at byte 3: the bracket closes nothing; check how the data was cut",
            "JSON refused: it ends at byte 9 with 2 arrays and objects still open; check that the data is complete",
            "JSON refused: the string that begins at byte 4 does not end; check that the data is complete",
            "JSON refused at byte 0: the byte cannot stand in UTF-8 text; send JSON as UTF-8",
        ])
    #expect(JSONGuard().description == "JSON of at most 4194304 bytes and 128 levels")
}
