/// A registered route or proxy. Letting go of it disposes nothing.
public final class RouteRegistration: Sendable, CustomStringConvertible {
    /// Why it matches nothing: its text is no pattern. Nil where all is well.
    public let error: RoutePatternError?
    private weak let hub: RouterHub?
    private let number: Int

    init(hub: RouterHub, number: Int) {
        self.hub = hub
        self.number = number
        error = nil
    }

    init(_ error: RoutePatternError) {
        self.error = error
        hub = nil
        number = 0
    }

    /// Takes the route or proxy out. A request that already runs its handler goes on. A second call does nothing. It is
    /// safe from any thread, inside any handler and in a `deinit`.
    ///
    /// - Complexity: O(1) amortised for a route, O(proxies) for a proxy.
    public func dispose() { hub?.remove([number]) }

    /// Whether it was disposed, or matches nothing, or its router is gone.
    public var isDisposed: Bool { hub?.isRegistered(number) != true }

    /// `RouteRegistration(active)` or `RouteRegistration(disposed)`, or the error.
    public var description: String {
        error.map { "\($0)" } ?? "RouteRegistration(\(isDisposed ? "disposed" : "active"))"
    }
}
