// catch: continues with another stream after a failure.
//
//     --1--2--#
//     catch { _ in just(9) }
//     --1--2--(9|)

extension ObservableConvertible {
    /// Continues with another stream when this one fails.
    ///
    /// The other stream gets what is left of the demand. Its own failure passes through, and may be of another type.
    /// Completion and cancel pass through untouched. O(1) for each element.
    ///
    /// - Parameter handler: makes the stream to go on with from the failure; `.fail` ends it with another one.
    @inlinable
    public func `catch`<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) -> Observable<Element, NewFailure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, NewFailure> {
        let up = observable
        let stage = Stage("catch", Element.self, Element.self, file, line)
        return Observable<Element, NewFailure>(stage, after: up.depth, weight: Segment.engine) { down in
            Subscription(
                Sequel(
                    down, up,
                    then: { completion in
                        guard case .failed(let error) = completion else { return .end(.finished) }
                        return .more(handler(error))
                    }))
        }
    }
}
