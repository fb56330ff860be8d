// weakly(owner): operators that are methods of an object, which is held weakly.
//
//     temperatures.weakly(panel).map(Panel.text).filter(Panel.isNew).subscribe { … }

/// An unapplied method with an answer, typed so that its actor is not lost.
public typealias UnappliedFunction<Owner, Input, Output> =
    @Sendable (Owner) -> @isolated(any) @Sendable (Input) -> Output

extension ObservableConvertible {
    /// Operators from here on may be methods of `owner`, which is held weakly: `weakly(owner).map(Owner.f)`.
    ///
    /// The chain ends when the owner dies: the first element after its death finishes it. Where the death is noticed
    /// earlier (a newcomer with an owner, a count that is read), upstream is let go.
    @inlinable public func weakly<Owner: AnyObject & Sendable>(
        _ owner: Owner, file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain<Owner, Element, Failure> {
        let stage = Stage("weakly", Element.self, Element.self, file, line)
        return WeakChain(WeakReference(owner), observable.bounded(by: owner, stage))
    }
}

/// A stream with the owner of its next operators. It is a stream like any other, too.
public struct WeakChain<Owner: AnyObject & Sendable, Element: Sendable, Failure: Error>: ObservableConvertible,
    CustomStringConvertible
{
    @usableFromInline let reference: WeakReference<Owner>
    /// The stream; it finishes when the owner dies.
    public let observable: Observable<Element, Failure>

    @usableFromInline init(_ reference: WeakReference<Owner>, _ observable: Observable<Element, Failure>) {
        self.reference = reference
        self.observable = observable
    }

    /// As in `WeakChain<Panel, Int>`.
    public var description: String { "WeakChain<\(Owner.self), \(Element.self)>" }

    /// Transforms each element by a method of the owner; one that belongs to an actor runs there, in order.
    @inlinable public func map<Output: Sendable>(
        _ method: @escaping UnappliedFunction<Owner, Element, Output>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain<Owner, Output, Failure> {
        compact(method, { $1 }, file, line)
    }
    /// Transforms each element by a closure that gets the owner.
    @inlinable public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Owner, Element) -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain<Owner, Output, Failure> {
        compact(transform, { $1 }, file, line)
    }

    /// Keeps what a method of the owner says yes to.
    @inlinable public func filter(
        _ method: @escaping UnappliedFunction<Owner, Element, Bool>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain {
        compact(method, { $1 ? $0 : nil }, file, line)
    }
    /// Keeps what a closure with the owner says yes to.
    @inlinable public func filter(
        _ isIncluded: @escaping @Sendable (Owner, Element) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain {
        compact(isIncluded, { $1 ? $0 : nil }, file, line)
    }
    /// Drops what a method of the owner says yes to.
    @_disfavoredOverload @inlinable public func filter(
        not method: @escaping UnappliedFunction<Owner, Element, Bool>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain {
        compact(method, { $1 ? nil : $0 }, file, line)
    }
    /// Drops what a closure with the owner says yes to.
    @_disfavoredOverload @inlinable public func filter(
        not isExcluded: @escaping @Sendable (Owner, Element) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain {
        compact(isExcluded, { $1 ? nil : $0 }, file, line)
    }

    /// Transforms each element by a method of the owner, and drops nil.
    @inlinable public func compactMap<Output: Sendable>(
        _ method: @escaping UnappliedFunction<Owner, Element, Output?>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain<Owner, Output, Failure> {
        compact(method, { $1 }, file, line)
    }
    /// Transforms each element by a closure that gets the owner, and drops nil.
    @inlinable public func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Owner, Element) -> Output?,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WeakChain<Owner, Output, Failure> {
        compact(transform, { $1 }, file, line)
    }

    /// `keep` makes the element that goes on from what came in and what the method answered.
    @inlinable func compact<Answer: Sendable, Output: Sendable>(
        _ method: @escaping UnappliedFunction<Owner, Element, Answer>,
        _ keep: @escaping @Sendable (Element, Answer) -> Output?, _ file: StaticString, _ line: UInt
    ) -> WeakChain<Owner, Output, Failure> {
        guard let owner = reference.object, method(owner).isolation != nil else {
            return compact(
                { owner, element in
                    unsafeBitCast(method(owner), to: (@Sendable (Element) -> Answer).self)(element)
                }, keep, file, line)
        }
        let reference = reference
        let answers = observable.flatMap(
            maxConcurrent: 1,
            { (element: Element) -> Observable<Output?, Failure> in
                Observable<Output?, Never>(
                    { () async -> Output? in
                        guard let owner = reference.object else { return nil }
                        return keep(element, await method(owner)(element))
                    }, file: file, line: line
                ).setFailureType(to: Failure.self, file: file, line: line)
            }, file: file, line: line)
        return WeakChain<Owner, Output, Failure>(reference, answers.compactMap({ $0 }, file: file, line: line))
    }
    @inlinable func compact<Answer: Sendable, Output: Sendable>(
        _ transform: @escaping @Sendable (Owner, Element) -> Answer,
        _ keep: @escaping @Sendable (Element, Answer) -> Output?, _ file: StaticString, _ line: UInt
    ) -> WeakChain<Owner, Output, Failure> {
        let reference = reference
        let kept = observable.compactMap(
            { (element: Element) -> Output? in
                guard let owner = reference.object else { return nil }
                return keep(element, transform(owner, element))
            }, file: file, line: line)
        return WeakChain<Owner, Output, Failure>(reference, kept)
    }
}

/// An object that may go at any time.
@usableFromInline struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    @usableFromInline weak let object: Object?
    @usableFromInline init(_ object: Object) { self.object = object }
}
