/// Why a text is no route pattern, with the place of the fault.
public struct RoutePatternError: Error, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    public let pattern: String
    /// Where the fault is, in characters from the start of `pattern`.
    public let offset: Int
    /// What is wrong there and what to write instead.
    public let reason: String

    /// The reason, then the pattern with a caret under the fault.
    public var description: String {
        """
        not a route pattern: \(reason)
            \(pattern)
            \(String(repeating: " ", count: offset))^
        """
    }
}
