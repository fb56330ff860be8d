/// How a router or a table reads URLs, where there is a choice.
public struct RoutingOptions: OptionSet, Hashable, Sendable, CustomStringConvertible {
    /// The set as bits.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Literals of the path match in the case in which they are written; scheme and host ignore case always.
    public static let exactPathCase = RoutingOptions(rawValue: 1)
    /// `/a/` and `/a` are two routes. Otherwise a slash at the end is ignored, in patterns and in URLs.
    public static let significantTrailingSlash = RoutingOptions(rawValue: 2)
    /// A `+` in a query is a plus. Otherwise it is a space, as forms write it.
    public static let literalPlus = RoutingOptions(rawValue: 4)

    /// The names of the options in the set.
    public var description: String {
        let names: [(RoutingOptions, String)] = [
            (.exactPathCase, "exactPathCase"), (.significantTrailingSlash, "significantTrailingSlash"),
            (.literalPlus, "literalPlus"),
        ]
        return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
    }
}
