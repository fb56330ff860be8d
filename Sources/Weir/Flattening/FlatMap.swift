// flatMap: maps each element to a stream, and interleaves the streams.
//
//     --a-------b----|
//     flatMap { just("\($0)1"), just("\($0)2") … }
//     --(a1 a2)-(b1 b2)|

extension ObservableConvertible {
    /// Maps each element to a stream and merges what the streams emit.
    ///
    /// It finishes when this stream and all inner ones have; the first failure of any cancels the others and ends it.
    /// Cancel reaches all. Where downstream's demand is bounded, each inner stream runs at most 32 elements ahead, and
    /// the streams take turns. Constant stack for any number of inner streams; O(1) for each element.
    ///
    /// - Parameters:
    ///   - maxConcurrent: inner streams that run at once; less than one counts as one. Elements beyond them wait
    ///     upstream: no more are asked for than can start.
    ///   - transform: makes the inner stream; it may throw the stream's own failure.
    @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Int = .max,
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        let maxConcurrent = max(1, maxConcurrent)
        let up = observable
        let stage = Stage("flatMap", Element.self, Output.self, file, line)
        return Observable<Output, Failure>(stage, after: up.depth, weight: Segment.engine) { down in
            Subscription(
                FlatMapEngine<Output, Failure>(down, maxConcurrent: maxConcurrent, isLatest: false) { engine in
                    up.attach(engine.outerObserver(transform))
                })
        }
    }

    /// The same, where the inner streams cannot fail.
    @_disfavoredOverload @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Int = .max,
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Never>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        flatMap(
            maxConcurrent: maxConcurrent,
            { element throws(Failure) in
                try transform(element).setFailureType(to: Failure.self, file: file, line: line)
            }, file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same, where only the inner streams can fail.
    @_disfavoredOverload @inlinable
    public func flatMap<Output: Sendable, InnerFailure: Error>(
        maxConcurrent: Int = .max,
        _ transform: @escaping @Sendable (Element) -> Observable<Output, InnerFailure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, InnerFailure> {
        setFailureType(to: InnerFailure.self, file: file, line: line)
            .flatMap(maxConcurrent: maxConcurrent, transform, file: file, line: line)
    }
}
