/// Whatever can be looked at as a stream: an `Observable`, a subject, a topic. Every operator is defined on it.
public protocol ObservableConvertible<Element, Failure>: Sendable {
    /// What the stream carries.
    associatedtype Element: Sendable
    /// How the stream may break; `Never` where it cannot.
    associatedtype Failure: Error
    /// The stream itself.
    var observable: Observable<Element, Failure> { get }
}

extension Observable: ObservableConvertible {
    /// The stream itself.
    @inlinable public var observable: Observable { self }
}
