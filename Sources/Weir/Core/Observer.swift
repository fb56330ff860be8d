/// What a stage hands upstream: where elements go, and where the end goes.
///
/// Its calls are serialised by whoever holds it, so it is not `Sendable`: one signal at a time, `done` at most once, and
/// nothing after `done`.
public struct Observer<Element: Sendable, Failure: Error> {
    /// Takes an element. `true`: one unit of demand was used. `false`: the element was dropped and costs nothing, so the
    /// source sends one more for the same demand.
    public let next: (Element) -> Bool
    /// Takes the end.
    public let done: (Completion<Failure>) -> Void

    /// An observer from its two handlers.
    @inlinable public init(
        next: @escaping (Element) -> Bool, done: @escaping (Completion<Failure>) -> Void
    ) {
        self.next = next
        self.done = done
    }
}
