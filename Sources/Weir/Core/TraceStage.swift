/// What a stage says of itself: its operator, what goes in and comes out, and where it was written.
public struct Stage: Sendable, CustomStringConvertible {
    /// The operator's name, as in `debounce`.
    public let name: StaticString
    /// What comes in; nil for a source.
    public let input: Any.Type?
    /// What goes out.
    public let output: Any.Type
    /// Module and file of the call; empty for a property such as `values`, which cannot know who reads it.
    public let file: StaticString
    /// The line of the call; 0 where there is no file.
    public let line: UInt

    @inlinable package init(
        _ name: StaticString, _ input: Any.Type? = nil, _ output: Any.Type, _ file: StaticString, _ line: UInt
    ) {
        self.name = name
        self.input = input
        self.output = output
        self.file = file
        self.line = line
    }
    /// A property has no default arguments, so it says no place: one in this library would mislead.
    @inlinable init(property name: StaticString, _ element: Any.Type) { self.init(name, element, element, "", 0) }

    /// As in `map Int -> String (App/Main.swift:12)`.
    public var description: String { text(nil) }

    /// With a name that the user gave, as in `named "temperature" Double -> Double (App/Main.swift:12)`.
    func text(_ label: String?) -> String {
        let place = line == 0 ? "" : " (\(file):\(line))"
        return "\(title(label)) \(types)\(place)"
    }
    /// The name, with one that the user gave, as in `named "temperature"`.
    package func title(_ label: String?) -> String { label.map { "\(name) \"\($0)\"" } ?? "\(name)" }
    /// What goes in and comes out, as in `Int -> String`; for a source only what comes out.
    package var types: String { input.map { "\($0) -> \(output)" } ?? "\(output)" }
}
