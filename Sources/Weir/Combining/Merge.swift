// merge: interleaves streams.
//
//     --1-----2---|
//     ----a-b---|
//     merge
//     --1-a-b-2---|

extension Observable {
    /// Interleaves the elements of several streams as they come.
    ///
    /// It finishes when all have; the first failure cancels the others and ends it. Cancel reaches all. An empty list
    /// finishes. Where downstream's demand is bounded, each stream runs at most 32 elements ahead, and they take turns.
    /// O(1) for each element.
    ///
    /// - Parameter streams: attached in their order.
    @inlinable
    public static func merge(
        _ streams: [Observable], file: StaticString = #fileID, line: UInt = #line
    ) -> Observable {
        let depth = streams.reduce(0) { max($0, $1.depth) }
        return Observable(Stage("merge", Element.self, Element.self, file, line), after: depth, weight: Segment.engine)
        {
            Subscription(FlatMapEngine($0, streams))
        }
    }
}

extension ObservableConvertible {
    /// Interleaves the elements of this stream and others. See `Observable.merge(_:)`.
    @inlinable
    public func merge(
        with others: Observable<Element, Failure>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        Observable.merge([observable] + others, file: file, line: line)
    }
}

extension ObservableConvertible {
    /// The same with streams that cannot fail.
    @_disfavoredOverload @inlinable
    public func merge(
        with others: Observable<Element, Never>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let others = others.map { $0.setFailureType(to: Failure.self, file: file, line: line) }
        return Observable.merge([observable] + others, file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same where only the others can fail.
    @_disfavoredOverload @inlinable
    public func merge<OtherFailure: Error>(
        with others: Observable<Element, OtherFailure>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, OtherFailure> {
        let own = setFailureType(to: OtherFailure.self, file: file, line: line)
        return Observable<Element, OtherFailure>.merge([own] + others, file: file, line: line)
    }
}
