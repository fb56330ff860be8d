import WeirRouting

/// A screen of the tests, with a name.
@MainActor class Page: CustomStringConvertible {
    nonisolated let name: String
    init(_ name: String) { self.name = name }
    nonisolated var description: String { name }
}
