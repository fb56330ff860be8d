/// What a source hands down at `attach`: the way to ask for elements, and the way to stop.
///
/// Both calls are safe from any thread and from inside any handler, return quickly, and may be repeated. Whoever holds
/// a subscription requests to the end or cancels: one that is neither may keep its chain alive.
///
/// It is a struct of two closures and not a protocol: cold sources do all their work inside `request`, and the compiler
/// specialises a closure formed in inlined code where it never specialises a witness of a generic type. A closure that
/// captures one object uses it as its context, so this costs no allocation.
public struct Subscription: Sendable {
    /// Asks for that many more elements. After `cancel` or a completion it does nothing.
    public let request: @Sendable (Demand) -> Void
    /// Stops the stream. On the thread that is delivering nothing more arrives; elsewhere at most the call already
    /// running finishes. A second call does nothing.
    public let cancel: @Sendable () -> Void

    /// A subscription from its two calls; both must keep to the rules above.
    @inlinable public init(
        request: @escaping @Sendable (Demand) -> Void, cancel: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.cancel = cancel
    }
}
