// setFailureType: gives a stream that cannot fail a failure type.
//
//     --1--2--|
//     setFailureType(to: Lost.self)
//     --1--2--|

extension ObservableConvertible where Failure == Never {
    /// Gives a stream that cannot fail a failure type, so that it fits beside streams that can.
    ///
    /// Nothing else changes. O(1) for each element, no allocation.
    ///
    /// - Parameter type: the failure of the new stream.
    @inlinable
    public func setFailureType<NewFailure: Error>(
        to type: NewFailure.Type, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, NewFailure> {
        mappingError(Stage("setFailureType", Element.self, Element.self, file, line), impossible)
    }
}

/// Makes anything from what cannot be.
@inlinable @Sendable func impossible<Value>(_ never: Never) -> Value {}
