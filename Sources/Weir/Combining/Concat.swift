// concat: one stream after the other.
//
//     --1--2--|
//     concat(--7--|)
//     --1--2----7--|

extension Observable {
    /// Runs streams one after the other; each starts when the one before has finished.
    ///
    /// A failure ends it, and the rest is never attached. What is left of the demand goes to the next stream. Cancel
    /// reaches the one that runs. An empty list finishes. Constant stack for any number of streams; O(1) for each element.
    ///
    /// - Parameter streams: in their order.
    @inlinable
    public static func concat(
        _ streams: [Observable], file: StaticString = #fileID, line: UInt = #line
    ) -> Observable {
        guard let first = streams.first else { return .empty(file: file, line: line) }
        let depth = streams.reduce(0) { max($0, $1.depth) }
        return Observable(Stage("concat", Element.self, Element.self, file, line), after: depth, weight: Segment.engine)
        { down in
            let index = Cell(0)
            return Subscription(
                Sequel(
                    down, first,
                    step: { completion in
                        index.value += 1
                        guard case .finished = completion, index.value < streams.count else { return .end(completion) }
                        return .more(streams[index.value])
                    }))
        }
    }
}

extension ObservableConvertible {
    /// Runs `others` after this stream has finished, one after the other. See `Observable.concat(_:)`.
    @inlinable
    public func concat(
        _ others: Observable<Element, Failure>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        Observable.concat([observable] + others, file: file, line: line)
    }
}

extension ObservableConvertible {
    /// The same with streams that cannot fail.
    @_disfavoredOverload @inlinable
    public func concat(
        _ others: Observable<Element, Never>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let others = others.map { $0.setFailureType(to: Failure.self, file: file, line: line) }
        return Observable.concat([observable] + others, file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same where only the others can fail.
    @_disfavoredOverload @inlinable
    public func concat<OtherFailure: Error>(
        _ others: Observable<Element, OtherFailure>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, OtherFailure> {
        let own = setFailureType(to: OtherFailure.self, file: file, line: line)
        return Observable<Element, OtherFailure>.concat([own] + others, file: file, line: line)
    }
}
