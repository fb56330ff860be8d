// zip: pairs by position.
//
//     --1--2-----3--|
//     ----a---b-----------|
//     zip
//     ----1a--2b----|     no third letter can be paired any more

/// Pairs the elements of several streams by position: the first with the first, the second with the second.
///
/// It finishes as soon as no further row can come: a stream has ended and all its elements are paired. The first failure
/// cancels the others and ends it. Cancel reaches all. Each stream runs at most 64 elements ahead of the slowest; a hot
/// one queues its elements at its source. O(streams) for each row.
///
/// - Parameter streams: of any element types and one failure; attached from left to right.
@inlinable
public func zip<each Element: Sendable, Failure: Error>(
    _ streams: repeat Observable<each Element, Failure>, file: StaticString = #fileID, line: UInt = #line
) -> Observable<(repeat each Element), Failure> {
    let stage = Stage("zip", nil, (repeat each Element).self, file, line)
    return JoinEngine.rows(stage, zips: true, repeat each streams)
}

/// The same over a list of streams of one type; an empty list gives `[]` once and finishes.
@inlinable
public func zip<Element: Sendable, Failure: Error>(
    _ streams: [Observable<Element, Failure>], file: StaticString = #fileID, line: UInt = #line
) -> Observable<[Element], Failure> {
    let stage = Stage("zip", Element.self, [Element].self, file, line)
    return JoinEngine.rows(stage, zips: true, list: streams)
}

extension ObservableConvertible {
    /// Pairs the elements of this stream and another by position. See `zip(_:)`.
    @inlinable
    public func zip<Other: Sendable>(
        with other: Observable<Other, Failure>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), Failure> {
        Weir.zip(observable, other, file: file, line: line)
    }

    /// The same with a stream that cannot fail.
    @_disfavoredOverload @inlinable
    public func zip<Other: Sendable>(
        with other: Observable<Other, Never>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), Failure> {
        Weir.zip(observable, other.setFailureType(to: Failure.self, file: file, line: line), file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same where only the other stream can fail.
    @_disfavoredOverload @inlinable
    public func zip<Other: Sendable, OtherFailure: Error>(
        with other: Observable<Other, OtherFailure>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), OtherFailure> {
        Weir.zip(setFailureType(to: OtherFailure.self, file: file, line: line), other, file: file, line: line)
    }
}
