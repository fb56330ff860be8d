// What the old bus says in words of its own: compositions of the core's operators.

extension ObservableConvertible {
    /// Drops the elements that match: `filter`, the other way round. The closure stands in the brackets: one behind them
    /// loses its label, and is that of `filter`.
    @_disfavoredOverload @inlinable public func filter(
        not isExcluded: @escaping @Sendable (Element) throws(Failure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        filter({ element throws(Failure) in try !isExcluded(element) }, file: file, line: line)
    }

    /// Only that something happened, not what.
    @inlinable public func void(file: StaticString = #fileID, line: UInt = #line) -> Observable<Void, Failure> {
        map({ _ in }, file: file, line: line)
    }

    /// Runs a side effect for each element before it goes on; the elements stay as they are.
    @inlinable public func interrupted(
        _ effect: @escaping @Sendable (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        map(
            { element in
                effect(element)
                return element
            }, file: file, line: line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// Sends each event on into a topic, which is held weakly.
    ///
    /// A redirection that closes a circle of redirections, operators between or not, is refused: the answer is over
    /// already, `Unhandled.hook` and the bureau's warnings name all labels of the circle.
    ///
    /// - Parameters:
    ///   - topic: where the events go.
    ///   - allowsFeedback: `true`: a circle is meant. It runs for ever unless an operator in it stops it; it never gets
    ///     deeper.
    /// - Returns: what stops it. Letting go of it stops nothing.
    @discardableResult @inlinable public func redirect(
        to topic: Topic<Element>, allowsFeedback: Bool = false, file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        redirect(
            to: topic, Redirection(to: topic.roster, allowsFeedback: allowsFeedback),
            { topic, event in topic.publish(event, file: file, line: line) }, file: file, line: line)
    }

    /// The same for signed events; each keeps its signature.
    @discardableResult @inlinable public func redirect<Value: Sendable>(
        to topic: SignedTopic<Value>, allowsFeedback: Bool = false, file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription where Element == Signed<Value> {
        redirect(
            to: topic, Redirection(to: topic.topic.roster, allowsFeedback: allowsFeedback),
            { topic, event in topic.topic.publish(event, file: file, line: line) }, file: file, line: line)
    }
}
