// replaceError: a last element in place of a failure.
//
//     --1--2--#
//     replaceError(with: 9)
//     --1--2--(9|)

extension ObservableConvertible {
    /// Emits `element` and finishes where the stream would fail.
    ///
    /// The element waits for demand. Completion and cancel pass through untouched. O(1) for each element.
    ///
    /// - Parameter element: what stands for any failure.
    @inlinable
    public func replaceError(
        with element: Element, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Never> {
        self.catch({ _ in .just(element, file: file, line: line) }, file: file, line: line)
    }
}
