/// A value that handlers on several threads may touch, for tests.
package final class Guarded<Value>: Sendable {
    private let value: Lock<Value>

    package init(_ value: Value) { self.value = Lock(value) }

    /// Runs `body` alone on the value.
    package func withLock<Answer>(_ body: (inout Value) -> Answer) -> Answer { value.withLock(body) }
}
