import Foundation
import Testing
import WeirSupport

private struct Photo: Codable, Sendable, Equatable {
    var photoTitle: String
    var takenAt: Date
    var extra: JSONValue?
}

private struct Album: Codable, Sendable, Equatable { var photos: [Photo] }

private struct Measure: Codable, Sendable, Equatable {
    var ratio: Double
}

private let album = Album(photos: [
    Photo(
        photoTitle: "Sea", takenAt: Date(timeIntervalSince1970: 1_772_366_400.25), extra: ["some_key": ["otherKey": 1]])
])

@Test(
    arguments: [JSONCoder.Keys.asWritten, .snakeCase],
    [.secondsSince2001, .secondsSince1970, .millisecondsSince1970, .iso8601] as [JSONCoder.Dates])
func whatIsEncodedIsDecoded(keys: JSONCoder.Keys, dates: JSONCoder.Dates) throws {
    let coder = JSONCoder(keys: keys, dates: dates)
    #expect(try coder.decode(Album.self, from: coder.encode(album)) == album)
    #expect(coder.description == "JSONCoder(keys: \(keys), dates: \(dates))")
}

@Test func theOptionsShowInTheText() throws {
    func text(_ coder: JSONCoder) throws -> String { String(decoding: try coder.encode(album), as: UTF8.self) }
    #expect(
        try text(JSONCoder())
            == #"{"photos":[{"extra":{"some_key":{"otherKey":1}},"photoTitle":"Sea","takenAt":794059200.25}]}"#)
    #expect(
        try text(JSONCoder(keys: .snakeCase, dates: .iso8601))
            == #"{"photos":[{"extra":{"some_key":{"otherKey":1}},"photo_title":"Sea","taken_at":"2026-03-01T12:00:00.250Z"}]}"#
    )
    #expect(try text(JSONCoder(dates: .secondsSince1970)).contains(#""takenAt":1772366400.25"#))
    #expect(try text(JSONCoder(dates: .millisecondsSince1970)).contains(#""takenAt":1772366400250"#))
}

@Test(arguments: [
    "2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z", "2026-03-01T14:00:00+02:00", "2026-03-01T07:00:00.000-05:00",
])
func iso8601IsReadWithAndWithoutFractions(text: String) throws {
    let date = try JSONCoder(dates: .iso8601).decode(Date.self, from: Data("\"\(text)\"".utf8))
    #expect(date == Date(timeIntervalSince1970: 1_772_366_400))
}

@Test(arguments: [
    (#"{"photos":[{"photoTitle":"a","takenAt":0},{"photoTitle":null,"takenAt":0}]}"#, "photos[1].photoTitle", "null"),
    (#"{"photos":[{"photoTitle":4,"takenAt":0}]}"#, "photos[0].photoTitle", "String"),
    (#"{"photos":[{"photoTitle":"a"}]}"#, "photos[0]", "the key \"takenAt\" is missing"),
    (#"{}"#, "the top level", "the key \"photos\" is missing"),
    (#"[]"#, "the top level", "Dictionary"),
])
func whatDoesNotFitIsNamedWithItsPath(text: String, path: String, reason: String) {
    let error = #expect(throws: JSONError.self) { try JSONCoder().decode(Album.self, from: Data(text.utf8)) }
    guard case .mismatch("Album", path, let found)? = error else {
        Issue.record("\(String(describing: error))")
        return
    }
    #expect(found.contains(reason))
    #expect(error?.description == "the JSON does not fit Album at \(path): \(found)")
}

@Test func aBadDateIsNamed() {
    #expect(
        throws: JSONError.mismatch(
            type: "Date", path: "the top level", reason: "expected a date like 2026-03-01T12:00:00Z, found \"today\"")
    ) { try JSONCoder(dates: .iso8601).decode(Date.self, from: Data("\"today\"".utf8)) }
}

@Test(
    arguments: [
        ("", .malformed(offset: 0, reason: "expected a value, found the end")),
        ("[1 2]", .malformed(offset: 3, reason: "expected ',' or ']', found '2'")),
        ("{\"a\" 1}", .malformed(offset: 5, reason: "expected ':', found '1'")),
        ("nul", .malformed(offset: 0, reason: "expected 'null', found 'n'")),
        ("[1", .refused(.unterminated(offset: 2, open: 1))),
    ] as [(String, JSONError)])
func whatIsNoJSONIsNamedWithItsPlaceWhateverTheType(text: String, expected: JSONError) {
    #expect(throws: expected) { try JSONCoder().decode([Int].self, from: Data(text.utf8)) }
    #expect(throws: expected) { try JSONCoder().decode(JSONValue.self, from: Data(text.utf8)) }
}

private final class Seen: Sendable {
    let texts = Lock<[String]>([])
}

@Test func theCoderServesTheCoresDecode() {
    let texts = ["[1]", "[2,3]", "[4,", "[5]"].map { Data($0.utf8) }
    let seen = Seen()
    let token = Observable<Data, any Error>(texts).decode([Int].self, using: JSONCoder()).subscribe {
        value in
        seen.texts.withLock { $0.append("\(value)") }
    } done: { completion in
        guard case .failed(let error) = completion else { return }
        seen.texts.withLock { $0.append("\(error)") }
    }
    defer { token.cancel() }
    let refusal = JSONError.refused(.unterminated(offset: 3, open: 1)).description
    #expect(seen.texts.withLock { $0 } == ["[1]", "[2, 3]", refusal])
}

@Test func theGuardStandsAtBothSides() throws {
    let coder = JSONCoder(limits: JSONGuard(depth: 2, size: 20))
    #expect(try coder.decode([[Int]].self, from: coder.encode([[1], [2]])) == [[1], [2]])
    #expect(throws: JSONError.refused(.tooDeep(offset: 2, limit: 2))) { try coder.encode([[[1]]]) }
    #expect(throws: JSONError.tooDeep(depth: 3, limit: 2)) { try coder.encode([[[1]]] as JSONValue) }
    #expect(throws: JSONError.refused(.tooLarge(size: 22, limit: 20))) {
        try coder.encode(String(repeating: "a", count: 20))
    }
    #expect(throws: JSONError.refused(.tooLarge(size: 21, limit: 20))) {
        try coder.decode(String.self, from: Data("\"1234567890123456789\"".utf8))
    }
}

@Test func whatHasNoFormInJSONIsNamed() {
    let error = #expect(throws: JSONError.self) { try JSONCoder().encode([Measure(ratio: .nan)]) }
    guard case .unencodable("Array<Measure>", "[0].ratio", let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
    }
    #expect(error?.description == "Array<Measure> has no form in JSON at [0].ratio: \(reason)")
}

@Test func aTypesOwnErrorsPassAsTheyAre() {
    struct Refusal: Error, Equatable {}
    struct Picky: Codable, Sendable {
        init() {}
        init(from decoder: any Decoder) throws { throw Refusal() }
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }
    #expect(throws: Refusal()) { try JSONCoder().decode(Picky.self, from: Data("1".utf8)) }
    #expect(throws: Refusal()) { try JSONCoder().encode(Picky()) }
}
