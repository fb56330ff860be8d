import Foundation
import Testing
import WeirSupport
import WeirTestSupport

private let photo: JSONValue = [
    "id": 7, "title": "Sea \"at\" night", "ratio": 1.5, "tags": ["a", nil, true], "size": ["w": 3, "h": 2], "none": nil,
]

@Test func literalsMakeEveryKind() {
    #expect((nil as JSONValue) == .null)
    #expect((true as JSONValue) == .bool(true))
    #expect((1 as JSONValue) == .number(1))
    #expect((2.5 as JSONValue).double == 2.5)
    #expect(("a" as JSONValue) == .string("a"))
    #expect(([1, "b"] as JSONValue) == .array([1, "b"]))
    #expect((["a": 1, "a": 2] as JSONValue) == .object(["a": 2]))
    let (count, name, flag) = (3, "n", false)
    #expect([JSONValue(count), JSONValue(name), JSONValue(flag)] == [3, "n", false])
    let (half, infinite) = (0.5, Double.infinity)
    #expect(JSONValue(Double.nan) == nil && JSONValue(-infinite) == nil && JSONValue(half)?.double == 0.5)
}

@Test func subscriptsAndAccessorsReachInside() {
    #expect(photo["id"]?.int == 7 && photo["id"]?.double == 7)
    #expect(photo["ratio"]?.double == 1.5 && photo["ratio"]?.int == nil)
    #expect(photo["title"]?.string == "Sea \"at\" night" && photo["title"]?.int == nil)
    #expect(photo["tags"]?[0] == "a" && photo["tags"]?[2]?.bool == true && photo["tags"]?.array?.count == 3)
    #expect(photo["size"]?["w"] == 3 && photo["size"]?.object?.keys.sorted() == ["h", "w"])
    #expect(photo["tags"]?[3] == nil && photo["tags"]?[-1] == nil && photo["tags"]?["a"] == nil)
    #expect(photo["none"] == .some(.null) && photo["none"]?.isNull == true && photo["none"] != nil)
    #expect(photo["nothing"] == nil && photo[0] == nil && !photo.isNull)
    #expect(photo.string == nil && photo.array == nil && photo.bool == nil && photo.number == nil)
    #expect((1 as JSONValue).object == nil)
}

@Test func descriptionIsCompactSortedJSON() {
    #expect(
        photo.description
            == #"{"id":7,"none":null,"ratio":1.5,"size":{"h":2,"w":3},"tags":["a",null,true],"title":"Sea \"at\" night"}"#
    )
    #expect(photo.data() == Data(photo.description.utf8))
    #expect(
        ("\u{0}\u{1f}\u{7f}\u{8}\t\n\u{c}\r\\/é😀" as JSONValue).description == #""\u0000\u001f\#u{7f}\b\t\n\f\r\\/é😀""#)
    #expect(([] as JSONValue).description == "[]" && ([:] as JSONValue).description == "{}")
}

@Test func equalValuesHaveOneHashAndOneText() throws {
    let spellings = [#"{"a":1,"b":[100,"é"]}"#, " {\"b\" : [1e2, \"\\u00e9\"], \"a\" : 1.0} "]
    let values = try spellings.map { try JSONValue(parsing: $0) }
    #expect(Set(values).count == 1)
    #expect(Set(values.map { $0.data() }).count == 1)
}

@Test func numbersKnowWhatTheyAre() {
    #expect(JSONNumber(UInt64.max).uint64 == .max && JSONNumber(UInt64.max).int64 == nil)
    #expect(JSONNumber(UInt64(5)) == 5 && JSONNumber(5.0) == 5 && JSONNumber(Int64.max).int == .max)
    #expect(JSONNumber(-1).uint64 == nil && JSONNumber(0.5)?.int == nil && JSONNumber(0.5)?.uint64 == nil)
    #expect(JSONNumber(1e19) == JSONNumber(UInt64(10_000_000_000_000_000_000)))
    #expect(JSONNumber(-0.0) == 0 && JSONNumber(-0.0)?.description == "0")
    #expect(JSONNumber(Double.infinity) == nil && JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(1e20)?.description == "1e+20" && JSONNumber(UInt64.max).double == 18_446_744_073_709_551_616)
}

@Test(
    arguments: [
        .null, true, 0, -1, 2.5, 1e300, "é\n\"", [], [:], photo, [[[]]], ["a": ["b": nil]],
        .number(JSONNumber(Int64.min)), .number(JSONNumber(UInt64.max)), 9_007_199_254_740_993,
    ] as [JSONValue])
func valuesComeBackThroughEveryCoder(value: JSONValue) throws {
    #expect(try JSONValue(parsing: value.data()) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: value.data()) == value)
    #expect(try JSONValue(parsing: JSONEncoder().encode(value)) == value)
    #expect(try JSONCoder().decode(JSONValue.self, from: JSONCoder().encode(value)) == value)
}

@Test func aFaultInsideAValueIsNotHiddenByTheNextGuess() throws {
    for text in [#"[1,"\ud800"]"#, #"{"a":[1e400]}"#] {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        }
        if case .dataCorrupted? = error { continue }
        Issue.record("\(text): \(String(describing: error))")
    }
}

/// The default depth is safe on the smallest stacks in use: 512 KiB, that of Apple's secondary threads.
@Test(.ownThread, arguments: ["[", "{\"a\":"]) func theDefaultDepthFitsASmallStack(opening: String) throws {
    let closing = opening == "[" ? "]" : "}"
    let text =
        String(repeating: opening, count: 128) + (opening == "[" ? "" : "null") + String(repeating: closing, count: 128)
    let outcome = Guarded<Result<Bool, any Error>?>(nil)
    onThread(stack: 512) {
        let result = Result {
            let value = try JSONValue(parsing: text)
            let decoded = try JSONDecoder().decode(JSONValue.self, from: value.data())
            let nested = try JSONCoder().decode(JSONValue?.self, from: JSONEncoder().encode(decoded))
            return value == decoded && nested == value && value.description == text
        }
        outcome.withLock { $0 = result }
    }
    #expect(try outcome.withLock { $0 }?.get() == true)
}
