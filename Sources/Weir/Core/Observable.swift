/// A stream of elements that ends at most once: finished, or failed with a `Failure`.
///
///     ----a--b----c--|
///
/// An observable is a recipe. Nothing runs before somebody subscribes, and each subscription runs it anew, unless an
/// operator such as `share` says otherwise. Elements come in order and one at a time, never more than were asked for.
///
/// **The law of attach.** `attach` only allocates and links. Registering, starting and signalling all happen at the
/// first `request`. A source that is over before the first request remembers its end and delivers it then; after the
/// first request an end needs no demand.
public struct Observable<Element: Sendable, Failure: Error>: Sendable {
    /// Links an observer to this stream and hands back the way to ask and to cancel. It signals nothing by itself.
    public let attach: @Sendable (Observer<Element, Failure>) -> Subscription

    /// Stages since the source or the last segment (`Segment.swift`).
    @usableFromInline package let depth: Int

    /// A stream from its `attach`: for a source or an operator of your own.
    ///
    /// - Parameter attach: keeps the law of attach and the rules of `Observer` and `Subscription`. Prove it with the
    ///   conformance suite of `WeirTesting`.
    @inlinable public init(attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription) {
        self.attach = attach
        // What stands behind it is not seen: it counts like an operator with an engine.
        depth = Segment.engine
    }

    @inlinable init(depth: Int, _ attach: @escaping @Sendable (Observer<Element, Failure>) -> Subscription) {
        self.attach = attach
        self.depth = depth
    }
}

extension Observable: CustomStringConvertible {
    /// The type of its elements and of its failure.
    public var description: String { "Observable<\(Element.self), \(Failure.self)>" }
}
