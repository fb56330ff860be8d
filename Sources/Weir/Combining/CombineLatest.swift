// combineLatest: the latest of each, whenever one changes.
//
//     --1-----2------|
//     ----a-----b--|
//     combineLatest
//     ----1a--2a2b---|

/// Emits the latest element of each stream, once all have emitted and then whenever one does.
///
/// It finishes when all streams have, or when one ends that never emitted. The first failure cancels the others and ends
/// it. Cancel reaches all. Where the streams stem from one source, intermediate rows appear.
/// Where downstream is slow, each stream runs at most 64 elements ahead and no row is skipped. O(1) for each
/// element, O(streams) for each row.
///
/// - Parameter streams: of any element types and one failure; attached from left to right.
@inlinable
public func combineLatest<each Element: Sendable, Failure: Error>(
    _ streams: repeat Observable<each Element, Failure>, file: StaticString = #fileID, line: UInt = #line
) -> Observable<(repeat each Element), Failure> {
    let stage = Stage("combineLatest", nil, (repeat each Element).self, file, line)
    return JoinEngine.rows(stage, zips: false, repeat each streams)
}

/// The same over a list of streams of one type; an empty list gives `[]` once and finishes.
@inlinable
public func combineLatest<Element: Sendable, Failure: Error>(
    _ streams: [Observable<Element, Failure>], file: StaticString = #fileID, line: UInt = #line
) -> Observable<[Element], Failure> {
    let stage = Stage("combineLatest", Element.self, [Element].self, file, line)
    return JoinEngine.rows(stage, zips: false, list: streams)
}

extension ObservableConvertible {
    /// Emits the latest of this stream and another. See `combineLatest(_:)`.
    @inlinable
    public func combineLatest<Other: Sendable>(
        with other: Observable<Other, Failure>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), Failure> {
        Weir.combineLatest(observable, other, file: file, line: line)
    }

    /// The same with a stream that cannot fail.
    @_disfavoredOverload @inlinable
    public func combineLatest<Other: Sendable>(
        with other: Observable<Other, Never>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), Failure> {
        Weir.combineLatest(
            observable, other.setFailureType(to: Failure.self, file: file, line: line), file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same where only the other stream can fail.
    @_disfavoredOverload @inlinable
    public func combineLatest<Other: Sendable, OtherFailure: Error>(
        with other: Observable<Other, OtherFailure>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), OtherFailure> {
        Weir.combineLatest(setFailureType(to: OtherFailure.self, file: file, line: line), other, file: file, line: line)
    }
}
