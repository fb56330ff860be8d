// receive(on:): delivers downstream on a scheduler.
//
//     --1--2--3--|
//     receive(on: other)
//     ---1--2--3--|     on the other scheduler

extension ObservableConvertible {
    /// Delivers elements and the end on a scheduler, in their order, the end last.
    ///
    /// Upstream runs where it runs, at most `prefetch` elements ahead; it is asked for more as three quarters are used.
    /// Cancel reaches upstream at once; on the scheduler at most the delivery already running finishes. The failure
    /// keeps its place behind the elements. O(1) for each element, no allocation.
    ///
    /// - Parameters:
    ///   - scheduler: where the handler runs.
    ///   - prefetch: elements kept between the two sides, rounded up to a power of two; from 2 to 65,536.
    @inlinable
    public func receive<S: Scheduler>(
        on scheduler: S, prefetch: Int = 256, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("receive", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            Subscription(HopEngine(down, up, prefetch: prefetch, schedule: { scheduler.schedule($0) }))
        }
    }
}
