/// A value and who signed it.
public struct Signed<Value: Sendable>: SignedEvent, CustomStringConvertible {
    /// What is said.
    public let value: Value
    /// Who says it; nil where nobody signed.
    public let signature: Signature?

    /// A value with its signature.
    @inlinable public init(_ value: Value, by signature: Signature? = nil) {
        self.value = value
        self.signature = signature
    }

    /// The same signature on another value.
    @inlinable public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Signed<Other> {
        Signed<Other>(try transform(value), by: signature)
    }

    /// The value, and the signature where there is one.
    public var description: String { signature.map { "\(value) signed by \($0)" } ?? "\(value)" }
}

extension Signed: Equatable where Value: Equatable {}
extension Signed: Hashable where Value: Hashable {}

/// What the operators on signed events ask of an element; `Signed` is the one type that has it.
public protocol SignedEvent: Sendable {
    /// What is said.
    associatedtype Value: Sendable
    /// What is said.
    var value: Value { get }
    /// Who says it; nil where nobody signed.
    var signature: Signature? { get }
}

extension ObservableConvertible where Element: SignedEvent {
    /// The bare values: the signature is stripped. Everything else passes through as with `map`.
    @inlinable public var unsigned: Observable<Element.Value, Failure> { observable.map { $0.value } }

    /// Drops the events that `object` signed: no echo of one's own.
    ///
    /// The object is not held. Everything else passes through as with `filter`.
    @inlinable public func dropping(
        signedBy object: AnyObject, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let own = Signature(of: object)
        return observable.filter({ $0.signature != own }, file: file, line: line)
    }

    /// Keeps the events whose value matches; their signatures stay. As `filter`.
    @inlinable public func filterValues(
        _ isIncluded: @escaping @Sendable (Element.Value) throws(Failure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        observable.filter(
            { element throws(Failure) in try isIncluded(element.value) }, file: file, line: line)
    }

    /// Transforms each value; its signature stays. As `map`.
    @inlinable public func mapValues<Value: Sendable>(
        _ transform: @escaping @Sendable (Element.Value) throws(Failure) -> Value,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Signed<Value>, Failure> {
        observable.map(
            { element throws(Failure) in Signed(try transform(element.value), by: element.signature) },
            file: file, line: line)
    }

    /// Transforms each value and drops nil; the signature stays. As `compactMap`.
    @inlinable public func compactMapValues<Value: Sendable>(
        _ transform: @escaping @Sendable (Element.Value) throws(Failure) -> Value?,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Signed<Value>, Failure> {
        observable.compactMap(
            { element throws(Failure) in
                guard let value = try transform(element.value) else { return nil }
                return Signed(value, by: element.signature)
            }, file: file, line: line)
    }
}
