// value, first: await what a stream has to say.

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
    @inlinable public var value: Element {
        get async throws {
            var iterator = values(prefetch: 2).makeAsyncIterator()
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
    @inlinable public var first: Element? {
        get async throws(Failure) {
            var iterator = values(prefetch: 1).makeAsyncIterator()
            return try await iterator.next(isolation: #isolation)
        }
    }
}

// Beside the form that throws: Swift 6.3 crashes where a getter with a generic failure is used with `Never`.
extension ObservableConvertible where Failure == Never {
    /// The first element, or nil where the stream finishes without one or the task is cancelled.
    ///
    /// Upstream is asked for one element and cancelled after it.
    @inlinable public var first: Element? {
        get async {
            var iterator = values(prefetch: 1).makeAsyncIterator()
            return await iterator.next(isolation: #isolation)
        }
    }
}
