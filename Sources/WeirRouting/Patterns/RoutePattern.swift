/// What URLs a route takes: `scheme://host/literal/:parameter/*/**rest`.
///
/// - A literal matches itself, ignoring case unless `RoutingOptions.exactPathCase` says otherwise; scheme and host
///   ignore case always. Escapes are decoded first, in patterns as in URLs: write a literal `:`, `*`, `?` or `#` as
///   `%3A`, `%2A`, `%3F`, `%23`.
/// - `:name` takes one segment; `:name(int)`, `:name(uuid)` and `:name([a-z]+)`, a regular expression, only what fits.
///   `:name?` at the end may be missing.
/// - An expression takes the whole decoded segment, case and all, by an automaton: in time linear in the segment. It knows
///   characters, `.`, classes (`[a-z]`, `[^0-9]`, `\d \w \s` of ASCII and their opposites), `* + ? {m,n}` up to 64,
///   `|` and groups, and has at most 1,000 states. Anchors, look-around and back-references are refused.
/// - `*` takes one segment and keeps no value. `**` or `**name` at the end takes all that remains, also nothing.
/// - `app://host/…` takes that scheme only, `//host/…` any scheme with that host, `/…` any scheme, and there the host
///   counts as the first segment: `/user/:id` takes `app://user/7`. Without scheme and leading slash a pattern is
///   read with one: `user/:id` is `/user/:id`. `app:///…` takes URLs of that scheme without a host. A port, and a
///   user's name before an `@`, are part of the host.
///
/// Copying it is one reference count.
public struct RoutePattern: Sendable {
    /// What a URL must have for a host.
    enum Host: Sendable, Hashable { case any, required, absent }

    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(name: String, RouteConstraint?)
        case any
    }

    /// What takes the segments after the last one of the pattern.
    enum Rest: Sendable, Hashable { case unnamed, named(String) }

    /// The parts, behind one reference.
    final class Storage: Sendable {
        let text: String
        let scheme: String?
        let host: Host
        let segments: [Segment]
        let isLastOptional: Bool
        let rest: Rest?
        let hasTrailingSlash: Bool
        /// Which segments have a value, and its name.
        let captures: [(index: Int, name: String)]
        /// Something of the path is kept.
        let hasValues: Bool

        init(
            text: String, scheme: String?, host: Host, segments: [Segment], isLastOptional: Bool, rest: Rest?,
            hasTrailingSlash: Bool
        ) {
            self.text = text
            self.scheme = scheme
            self.host = host
            self.segments = segments
            self.isLastOptional = isLastOptional
            self.rest = rest
            self.hasTrailingSlash = hasTrailingSlash
            captures = segments.enumerated().compactMap { index, segment in
                if case .parameter(let name, _) = segment { (index, name) } else { nil }
            }
            hasValues = if case .named = rest { true } else { !captures.isEmpty }
        }
    }

    let storage: Storage

    /// Reads a pattern.
    ///
    /// - Parameter text: the pattern; at most `RoutePattern.maximumSegments` segments.
    /// - Throws: `RoutePatternError`, which shows the text with a caret at the fault.
    /// - Complexity: O(length).
    public init(_ text: String) throws(RoutePatternError) {
        var parser = RoutePatternParser(text)
        storage = try parser.parse()
    }

    /// The most segments that a pattern may have.
    public static let maximumSegments = 255

    /// The pattern as it was written.
    public var text: String { storage.text }

    /// The names of its parameters in order, the one of a named rest last.
    public var parameterNames: [String] {
        var names = storage.captures.map(\.name)
        if case .named(let name) = storage.rest { names.append(name) }
        return names
    }
}

extension RoutePattern: Hashable, CustomStringConvertible {
    /// Two patterns are equal if they are written the same.
    public static func == (left: RoutePattern, right: RoutePattern) -> Bool { left.text == right.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The pattern as it was written.
    public var description: String { text }
}

extension RoutePattern.Segment: CustomStringConvertible {
    /// The segment as a pattern spells it.
    var description: String {
        switch self {
        case .literal(let text): text
        case .parameter(let name, let constraint?): ":\(name)(\(constraint.name))"
        case .parameter(let name, nil): ":\(name)"
        case .any: "*"
        }
    }
}

/// Whatever can be read as a route pattern: a `RoutePattern`, or its text.
///
/// A text that is no pattern does not throw where a route is registered: the registration keeps the error and matches
/// nothing.
public protocol RoutePatternConvertible {
    /// The pattern.
    ///
    /// - Throws: `RoutePatternError` where the text is no pattern.
    func routePattern() throws(RoutePatternError) -> RoutePattern
}

extension RoutePattern: RoutePatternConvertible {
    /// The pattern itself.
    public func routePattern() throws(RoutePatternError) -> RoutePattern { self }
}

extension String: RoutePatternConvertible {
    /// The pattern that this text spells.
    public func routePattern() throws(RoutePatternError) -> RoutePattern { try RoutePattern(self) }
}
