// from Swift Observation: what a closure makes of observable state, and again after each change.
//
//     model.x:   1 2 3----4-----      (three changes in one go, then one)
//     Observable(tracking: { model.x })
//     -------------3----4-----

extension Observable where Failure == Never {
    /// Runs a closure over observable state, emits its value, and does so again after each change of what it has read.
    ///
    /// The closure runs on the actor that this is written on, and there the values are emitted: the first one after the
    /// first request, then one for all changes that one job of the actor made, so the last is never missed. Without
    /// demand changes are coalesced further: with the next request the value of that moment comes, if there was a change.
    /// An equal value is emitted, too; `removeDuplicates` takes it out.
    ///
    /// It finishes once nothing that was read can change any more: at once where the closure read no observable
    /// state, and after one more value where the objects it reads weakly are gone. What the closure holds strongly lives
    /// until cancel, which frees the closure; of the subscription a few bytes stay with the observed objects until their
    /// next change, for Swift Observation has no way back.
    ///
    /// What it reads must be changed on that actor. Swift Observation speaks before the change, so one that another thread
    /// makes, in an object with a lock of its own, can slip through; for such an `@Observed` property take `$property`.
    ///
    /// - Parameters:
    ///   - read: makes the value; it may use the actor's own state.
    ///   - isolation: the caller's actor; leave it out.
    @_disfavoredOverload  // a closure behind the type, without a label, is the work of a task
    @inlinable
    public init(
        tracking read: @escaping () -> Element,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) {
        let reader = ActorReader(isolation, read)
        self.init(source: Stage("tracking", nil, Element.self, file, line)) {
            Subscription(TrackingSource($0, reader))
        }
    }
}
