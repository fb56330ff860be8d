// flatMapLatest: a new element cancels the inner stream that runs.
//
//     --a-----b--------|
//     flatMapLatest { results($0) }       each result takes a while
//     ----a1----b1-b2--|

extension ObservableConvertible {
    /// Maps each element to a stream and follows only the newest: a new element cancels the inner stream before it.
    ///
    /// Elements of the older stream that have not gone out yet are dropped with it: that is what the operator is for. It
    /// finishes when this stream and the newest inner one have; a failure of either ends it. Upstream is asked for
    /// everything; the inner stream for what downstream has asked for. Constant stack; O(1) for each element.
    ///
    /// - Parameter transform: makes the inner stream; it may throw the stream's own failure.
    @inlinable
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        let up = observable
        let stage = Stage("flatMapLatest", Element.self, Output.self, file, line)
        return Observable<Output, Failure>(stage, after: up.depth, weight: Segment.engine) { down in
            Subscription(
                FlatMapEngine<Output, Failure>(down, maxConcurrent: .max, isLatest: true) { engine in
                    up.attach(engine.outerObserver(transform))
                })
        }
    }

    /// The same, where the inner streams cannot fail.
    @_disfavoredOverload @inlinable
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Never>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        flatMapLatest(
            { element throws(Failure) in
                try transform(element).setFailureType(to: Failure.self, file: file, line: line)
            }, file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// The same, where only the inner streams can fail.
    @_disfavoredOverload @inlinable
    public func flatMapLatest<Output: Sendable, InnerFailure: Error>(
        _ transform: @escaping @Sendable (Element) -> Observable<Output, InnerFailure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, InnerFailure> {
        setFailureType(to: InnerFailure.self, file: file, line: line)
            .flatMapLatest(transform, file: file, line: line)
    }
}
