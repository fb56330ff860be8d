/// How a stream ended: everything was said, or something went wrong.
///
/// An observer receives at most one completion, and nothing after it.
public enum Completion<Failure: Error>: Sendable {
    /// The stream said everything it had to say.
    case finished
    /// The stream broke, and this is why.
    case failed(Failure)

    /// The error, where there is one.
    @inlinable public var failure: Failure? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension Completion: Equatable where Failure: Equatable {}

extension Completion: CustomStringConvertible {
    /// `finished`, or `failed(…)` with the error's own description.
    public var description: String {
        switch self {
        case .finished: "finished"
        case .failed(let error): "failed(\(error))"
        }
    }
}
