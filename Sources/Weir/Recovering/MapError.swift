// mapError: transforms the failure.
//
//     --1--2--#
//     mapError { Lost(because: $0) }
//     --1--2--#      another failure

extension ObservableConvertible {
    /// Transforms the failure; elements, completion, cancel and demand pass through untouched. O(1).
    ///
    /// - Parameter transform: makes the new failure. It is called once at most.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, NewFailure> {
        mappingError(Stage("mapError", Element.self, Element.self, file, line), transform)
    }

    @inlinable func mappingError<NewFailure: Error>(
        _ stage: Stage, _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Observable<Element, NewFailure> {
        let up = observable
        return Observable<Element, NewFailure>(stage, after: up.depth) { down in
            up.attach(
                Observer(
                    next: down.next,
                    done: { completion in
                        switch completion {
                        case .finished: down.done(.finished)
                        case .failed(let error): down.done(.failed(transform(error)))
                        }
                    }))
        }
    }
}
