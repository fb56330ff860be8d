// values: pull a stream with `for await`.
//
//     for try await element in stream.values { … }

extension ObservableConvertible {
    /// The stream as an `AsyncSequence`: lossless, pulled by demand, with the stream's own failure.
    ///
    /// Making the iterator subscribes, so what a hot source sends after that is not missed. At most 64 elements are
    /// fetched ahead. Cancelling the task cancels upstream and ends the loop, after seven elements that were there already at
    /// most; so does leaving the loop, at once. A loop over a subject that nobody holds any more ends as finished.
    @inlinable public var values: Values<Element, Failure> { pull("values", prefetch: 64) }

    /// The same with a bound of your own on what is fetched ahead.
    ///
    /// - Parameter count: elements; one at least.
    @inlinable
    public func values(
        prefetch count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Values<Element, Failure> {
        Values(observable, prefetch: count, stage: Stage("values", Element.self, Element.self, file, line))
    }
}

/// A stream to pull from. Each iterator is a subscription of its own.
public struct Values<Element: Sendable, Failure: Error>: AsyncSequence, Sendable, CustomStringConvertible {
    @usableFromInline let source: Observable<Element, Failure>
    @usableFromInline let prefetch: Int
    @usableFromInline let stage: Stage

    @inlinable init(_ source: Observable<Element, Failure>, prefetch: Int, stage: Stage) {
        self.source = source
        self.prefetch = prefetch
        self.stage = stage
    }
    /// Subscribes.
    @inlinable public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pump: Pump(source, prefetch: prefetch, stage: stage))
    }
    /// As in `Values<Int, Never>`.
    public var description: String { "Values<\(Element.self), \(Failure.self)>" }

    /// One subscription, pulled. Releasing it cancels.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let pump: Pump<Element, Failure>
        /// Taken from the pump in one go: the consumer alone owns it.
        @usableFromInline var batch: ContiguousArray<Element> = []
        @usableFromInline var index = 0

        @inlinable init(pump: Pump<Element, Failure>) { self.pump = pump }

        /// The next element, or nil at the end; throws the stream's failure.
        @inlinable public mutating func next() async throws(Failure) -> Element? { try await next(isolation: nil) }

        /// The same on the caller's actor.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            // Also where an element is always there, so that the loop never waits. Not each time: a look takes 10 ns.
            if index & 7 == 0 || index == batch.count, Task.isCancelled { drop() }
            if index == batch.count {
                index = 0
                guard try await pump.next(&batch) else { return nil }
            }
            let element = batch[index]
            index += 1
            return element
        }
        @inlinable mutating func drop() {
            pump.cancel()
            batch = []
            index = 0
        }
    }
}
