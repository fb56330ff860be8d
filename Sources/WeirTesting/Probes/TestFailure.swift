/// The failure of streams in tests: `#` of a marble diagram.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Tells failures apart; `#` where none was given.
    public let label: String

    /// A failure, with a label where a test has several.
    public init(_ label: String = "#") { self.label = label }

    /// As in `TestFailure(#)`.
    public var description: String { "TestFailure(\(label))" }
}
