import Foundation
import Testing
import WeirSupport
import WeirTestSupport

// Values that a program nests deeper than any text that is read: writing them overflows no stack, and encoding them is an
// error value that names the depth and the limit.

private struct Envelope: Encodable, Sendable { var content: [JSONValue] }

/// A value with that many arrays and objects inside one another.
private func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(.null) { inner, level in level.isMultiple(of: 2) ? .array([inner]) : .object(["a": inner]) }
}

/// Releases a deep value level by level, for its own release recurses.
private func dismantle(_ value: inout JSONValue) {
    while let inner = value[0] ?? value["a"] { value = inner }
}

@Suite(.ownThread) struct DeepValueTests {
    @Test(arguments: [129, 513, 25_000]) func aValueThatIsTooDeepIsRefusedByEveryEncoder(depth: Int) {
        let errors = Guarded<[any Error]>([])
        onThread(stack: 512) {
            var value = nested(depth)
            // They capture nothing: whoever else held the value would release it in one go.
            let attempts: [(JSONValue) throws -> Data] = [
                { try JSONCoder().encode($0) },
                { try JSONCoder().encode([Optional($0)]) },
                { try JSONCoder().encode(Envelope(content: [$0])) },
            ]
            for attempt in attempts {
                do {
                    _ = try attempt(value)
                    errors.withLock { $0.append(CancellationError()) }
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
            #expect(value.data().count > depth * 3)
            dismantle(&value)
        }
        let seen = errors.withLock { $0.map { "\($0)" } }
        #expect(
            seen
                == [depth, depth + 1, depth + 2].map { depth in
                    "a value of \(depth) arrays and objects inside one another refused, the limit is 128; build it flatter, "
                        + "or raise JSONGuard's depth up to 512"
                })
    }

    @Test func anEncoderOfOnesOwnHasTheGreatestLimit() throws {
        #expect(try JSONEncoder().encode(nested(500)).count > 500)
        #expect(throws: JSONError.tooDeep(depth: 513, limit: 512)) { try JSONEncoder().encode(nested(513)) }
        let coder = JSONCoder(limits: JSONGuard(depth: 512))
        #expect(try coder.decode(JSONValue.self, from: coder.encode(nested(512))) == nested(512))
        #expect(throws: JSONError.tooDeep(depth: 513, limit: 512)) { try coder.encode([nested(512)]) }
    }
}
