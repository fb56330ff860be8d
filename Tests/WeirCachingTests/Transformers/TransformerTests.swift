import Foundation
import Testing
import Weir
import WeirTestSupport

@testable import WeirCaching

/// Transformers by themselves: closures with and without waiting, composed, inverted, conditioned; and what fails.
@Suite struct TransformerTests {
    struct NotANumber: Error, CustomStringConvertible {
        var description: String { "not a number" }
    }

    /// `"12"` and 12, once by closures that do not wait, once by ones that do.
    static func number(waits: Bool) -> TwoWay<String, Int> {
        let parse: @Sendable (String) throws -> Int = { text in
            guard let number = Int(text) else { throw NotANumber() }
            return number
        }
        guard waits else { return TwoWay(parse, inverse: { "\($0)" }) }
        return TwoWay(
            { text in
                await Task.yield()
                return try parse(text)
            },
            inverse: { number in
                await Task.yield()
                return "\(number)"
            })
    }

    static let twice = TwoWay<Int, Int>({ $0 * 2 }, inverse: { $0 / 2 })

    @Test(arguments: [false, true]) func theyComposeBothWays(waits: Bool) async throws {
        let both = Self.number(waits: waits).compose(Self.twice)
        #expect(try await both.transform("21") == 42)
        #expect(try await both.inverse(42) == "21")
        #expect(try await both.inverted.transform(42) == "21")
        #expect(try await both.inverted.inverse("21") == 42)
        #expect(try await both.inverted.inverted.transform("21") == 42)
        let oneWay = OneWay(Self.number(waits: waits)).compose(OneWay<Int, String> { "<\($0)>" })
        #expect(try await oneWay.transform("7") == "<7>")
    }

    /// A closure that does not wait is run in place; one that waits is not.
    @Test func whatDoesNotWaitAnswersAtOnce() async {
        #expect(
            Heard(Self.number(waits: false).compose(Self.twice).output(of: "21")).signals.value == ["42", "finished"])
        let later = Heard(Self.number(waits: true).output(of: "21"))
        await until { later.signals.value.count == 2 }
        #expect(later.signals.value == ["21", "finished"])
    }

    @Test(arguments: [false, true]) func aFailureSaysThatItIsATransformersAndCacheErrorsStayWhatTheyAre(
        waits: Bool
    ) async {
        let number = Self.number(waits: waits)
        let words = "could not transform the value: not a number"
        #expect(await thrown { try await number.transform("x") } == words)
        #expect(await thrown { try await number.compose(Self.twice).transform("x") } == words)
        #expect(await thrown { try await number.inverted.inverse("x") } == words)
        let missing = OneWay<String, Int> { _ in throw CacheError.notFound }
        #expect(await thrown { try await missing.transform("x") } == "\(CacheError.notFound)")
        let cancelled = OneWay<String, Int> { _ in throw CancellationError() }
        #expect(await thrown { try await cancelled.transform("x") } == "\(CacheError.cancelled)")
    }

    @Test(arguments: [false, true]) func aConditionTestsTheInputInBothDirections(waits: Bool) async throws {
        let number = Self.number(waits: waits)
        let short =
            waits
            ? number.conditioned { text in
                await Task.yield()
                return text.count < 3
            } : number.conditioned { $0.count < 3 }
        #expect(try await short.transform("21") == 21)
        #expect(try await short.inverse(21) == "21")
        let no = "\(CacheError.conditionNotSatisfied)"
        #expect(await thrown { try await short.transform("210") } == no)
        #expect(await thrown { try await short.inverse(210) } == no)
        #expect(await thrown { try await OneWay(number).conditioned { $0.count < 3 }.transform("210") } == no)
        let broken = number.conditioned { _ in throw NotANumber() }
        #expect(await thrown { try await broken.transform("21") } == "not a number", "an error passes")
    }

    @Test func keyedOnesSeeTheKey() async throws {
        let prefixed = KeyedTwoWay<String, String, String>(
            { key, value in key + value }, inverse: { key, value in String(value.dropFirst(key.count)) })
        #expect(try await prefixed.transform("b", forKey: "a") == "ab")
        #expect(try await prefixed.inverse("ab", forKey: "a") == "b")
        #expect(try await prefixed.inverted.transform("ab", forKey: "a") == "b")
        let plain = KeyedTwoWay<String, String, Int>(Self.number(waits: true))
        #expect(try await plain.transform("21", forKey: "a") == 21)
        #expect(try await plain.inverse(21, forKey: "a") == "21")
        #expect(try await KeyedOneWay<String, String, Int>(Self.number(waits: false)).transform("3", forKey: "") == 3)
        let some = prefixed.conditioned { $0 != "c" }
        let no = "\(CacheError.conditionNotSatisfied)"
        #expect(try await some.transform("b", forKey: "a") == "ab")
        #expect(await thrown { try await some.transform("b", forKey: "c") } == no)
        #expect(await thrown { try await some.inverse("cb", forKey: "c") } == no)
    }

    /// One of a reader's own: the async method is all that it needs.
    struct Reversed: TwoWayTransformer {
        func transform(_ input: String) async throws -> String { String(input.reversed()) }
        func inverse(_ output: String) async throws -> String { String(output.reversed()) }
    }

    @Test func oneOfYourOwnNeedsOnlyTheMethods() async throws {
        let both = Reversed().compose(Self.number(waits: false))
        #expect(try await both.transform("12") == 21)
        #expect(try await both.inverse(21) == "12")
    }

    /// A stream of one's own that ends without an element is a failure, not silence.
    struct Silent: OneWayTransformer {
        func transform(_ input: String) async throws -> String { input }
        func output(of input: String) -> Observable<String, CacheError> { .empty() }
    }

    @Test func aTransformerWithoutAnOutputFails() async {
        let words = "could not transform the value: the transformer ended without an output"
        let memory = MemoryLevel<String, String>(limit: 100)
        let cache = memory.transformKeys(Silent())
        #expect(await failure { () async throws(CacheError) in try await cache.set("A", forKey: "a") } == words)
        #expect(await failure { () async throws(CacheError) in try await cache.value(forKey: "a") } == words)
        #expect(await failure { () async throws(CacheError) in try await cache.remove("a") } == words)
        #expect(await thrown { try await OneWay(Silent()).transform("a") } == words)
    }
}

/// What an untyped call throws, as text; `nil` where it does not.
func thrown(_ call: () async throws -> some Any) async -> String? {
    do {
        _ = try await call()
        return nil
    } catch {
        return "\(error)"
    }
}
