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
    var depth = 0
    repeat depth = max(depth, (each streams).depth)
    return Observable<(repeat each Element), Failure>(stage, after: depth) { down in
        let out = Outlet(down)
        let engine = JoinEngine(zips: true, drop: { out.drop() }) { engine in
            let row = UnsafeMutablePointer<(repeat each Element)>.allocate(capacity: 1)
            let memory = UnsafeMutableRawPointer(row)
            engine.memory = memory
            repeat engine.enrol(
                JoinLane(engine, memory, each streams) { engine, end in engine.finish { out.done(end) } })
            precondition(engine.memorySize == MemoryLayout<(repeat each Element)>.size, "a tuple's layout has changed")
            engine.row = JoinEngine.Row(emit: { out.next(row.move()) }, complete: { out.done(.finished) })
        }
        return Subscription(engine)
    }
}

/// The same over a list of streams of one type; an empty list gives `[]` once and finishes.
@inlinable
public func zip<Element: Sendable, Failure: Error>(
    _ streams: [Observable<Element, Failure>], file: StaticString = #fileID, line: UInt = #line
) -> Observable<[Element], Failure> {
    if streams.isEmpty { return .just([], file: file, line: line) }
    let count = streams.count
    let stage = Stage("zip", Element.self, [Element].self, file, line)
    let depth = streams.reduce(0) { max($0, $1.depth) }
    return Observable<[Element], Failure>(stage, after: depth) { down in
        let out = Outlet(down)
        let engine = JoinEngine(zips: true, drop: { out.drop() }) { engine in
            let row = UnsafeMutablePointer<Element>.allocate(capacity: count)
            let memory = UnsafeMutableRawPointer(row)
            engine.memory = memory
            for stream in streams {
                engine.enrol(JoinLane(engine, memory, stream) { engine, end in engine.finish { out.done(end) } })
            }
            engine.row = JoinEngine.Row(
                emit: {
                    let elements = Array(UnsafeBufferPointer(start: row, count: count))
                    row.deinitialize(count: count)
                    return out.next(elements)
                }, complete: { out.done(.finished) })
        }
        return Subscription(engine)
    }
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
        Weir.zip(observable, other.setFailureType(to: Failure.self), file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same where only the other stream can fail.
    @_disfavoredOverload @inlinable
    public func zip<Other: Sendable, OtherFailure: Error>(
        with other: Observable<Other, OtherFailure>, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(Element, Other), OtherFailure> {
        Weir.zip(setFailureType(to: OtherFailure.self), other, file: file, line: line)
    }
}
