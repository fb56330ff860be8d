/// What an operator needs that may end before its upstream does: `prefix`, or a closure that throws.
///
/// It cancels upstream *before* it signals the end, and signals none after downstream has cancelled. Downstream is held
/// by the closures that upstream holds, never by the gate: the gate's way up and upstream's way here form a circle,
/// which upstream cuts when it drops its observer.
@usableFromInline final class Gate<Failure: Error>: Engine {
    @exclusivity(unchecked) @usableFromInline var isShut = false
    /// Written before the first request, constant from then on.
    @exclusivity(unchecked) @usableFromInline var up = Subscription(request: { _ in }, cancel: {})
    @usableFromInline let cancelled = Flag()
    @inlinable init() {}

    /// Puts the gate between `up` and downstream.
    @inlinable func guarding(_ up: Subscription) -> Subscription {
        self.up = up
        return Subscription(self)
    }
    @inlinable func request(_ demand: Demand) { up.request(demand) }
    @inlinable func cancel() {
        cancelled.raise()
        up.cancel()
    }

    /// Ends the stream from here; `signal` tells downstream, unless it has cancelled or the end is told already.
    @inlinable @inline(never) func close(_ signal: () -> Void) {
        if isShut { return }
        isShut = true
        up.cancel()
        if !cancelled.isUp { signal() }
    }
    /// Upstream's own end.
    @inlinable func pass(_ signal: () -> Void) {
        if isShut { return }
        isShut = true
        signal()
    }
}
