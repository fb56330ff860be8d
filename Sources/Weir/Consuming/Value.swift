// value, first, collect: await what a stream has to say.

/// A stream that was to have exactly one element had none, or several.
public enum NotOneElement: Error, Equatable, CustomStringConvertible {
    /// The stream finished without an element.
    case none
    /// The stream emitted a second element.
    case several

    /// What happened, and which property asks for less.
    public var description: String {
        switch self {
        case .none: "the stream finished without an element; `first` answers nil then"
        case .several: "the stream emitted more than one element; `first` takes the first of them"
        }
    }
}

extension ObservableConvertible {
    /// The one element of the stream, once it has finished.
    ///
    /// It throws the stream's failure, `NotOneElement` where there are none or several (a second element cancels
    /// upstream), and `CancellationError` where the task is cancelled, which cancels upstream too.
    @inlinable public nonisolated(nonsending) var value: Element {
        get async throws {
            var iterator = pull("value", prefetch: 2).makeAsyncIterator()
            guard let element = try await iterator.next(isolation: #isolation) else {
                try Task.checkCancellation()
                throw NotOneElement.none
            }
            guard try await iterator.next(isolation: #isolation) == nil else { throw NotOneElement.several }
            // A loop that was cancelled ends like a stream that has finished.
            try Task.checkCancellation()
            return element
        }
    }

    /// The first element, or nil where the stream finishes without one or the task is cancelled.
    ///
    /// Upstream is asked for one element and cancelled after it.
    @inlinable public nonisolated(nonsending) var first: Element? {
        get async throws(Failure) {
            var iterator = pull("first", prefetch: 1).makeAsyncIterator()
            return try await iterator.next(isolation: #isolation)
        }
    }

    /// All elements, once the stream has finished.
    ///
    /// It throws the stream's failure, and what came before that is gone. Cancelling the task cancels upstream and answers
    /// what has come until then. Upstream is asked for 64 elements at a time, for as long as it has some: bound an endless
    /// one with `prefix`. O(elements) in memory.
    @inlinable
    public nonisolated(nonsending) func collect(
        file: StaticString = #fileID, line: UInt = #line
    ) async throws(Failure) -> [Element] {
        let stage = Stage("collect", Element.self, Element.self, file, line)
        var iterator = Values(observable, prefetch: 64, stage: stage).makeAsyncIterator()
        var all: [Element] = []
        while let element = try await iterator.next(isolation: #isolation) { all.append(element) }
        return all
    }

    @inlinable func pull(_ name: StaticString, prefetch count: Int) -> Values<Element, Failure> {
        Values(observable, prefetch: count, stage: Stage(property: name, Element.self))
    }
}

// Beside the form that throws: Swift 6.3 crashes where a getter with a generic failure is used with `Never`.
extension ObservableConvertible where Failure == Never {
    /// The first element, or nil where the stream finishes without one or the task is cancelled.
    ///
    /// Upstream is asked for one element and cancelled after it.
    @inlinable public nonisolated(nonsending) var first: Element? {
        get async {
            var iterator = pull("first", prefetch: 1).makeAsyncIterator()
            return await iterator.next(isolation: #isolation)
        }
    }
}
