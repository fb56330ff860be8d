// repeat: starts again after the end.
//
//     --1--2|
//     repeat(2)
//     --1--2--1--2|

extension ObservableConvertible {
    /// Subscribes to this stream again each time it has finished.
    ///
    /// A failure passes through and ends it. Cancel reaches the round that runs. What is left of the demand goes to the
    /// next round, which starts when there is some. An empty synchronous stream that repeats without a limit keeps the
    /// thread until it is cancelled from another one. Constant stack for any number of rounds; O(1) for each element.
    ///
    /// - Parameter count: how many rounds in all; zero or less finishes at the first request and never attaches upstream.
    ///   Without it there is no limit.
    @inlinable
    public func `repeat`(
        _ count: Int = .max, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        if count <= 0 { return .empty(file: file, line: line) }
        let up = observable
        let stage = Stage("repeat", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) { down in
            let left = Cell(count)
            return Subscription(
                Sequel(
                    down, up,
                    step: { completion in
                        guard case .finished = completion, left.value > 1 else { return .end(completion) }
                        if left.value != .max { left.value -= 1 }
                        return .more(up)
                    }))
        }
    }
}
