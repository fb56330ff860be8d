/// An unapplied method, typed so that its actor is not lost: a plain `(Owner) -> (Element) -> Void` would run a
/// main-actor method wherever the element comes from, without a diagnostic (Swift 6.3).
public typealias UnappliedMethod<Owner, Element> =
    @Sendable (Owner) -> @isolated(any) @Sendable (Element) -> Void

/// Calls a bound method of an owner on the isolation that it reports.
@usableFromInline struct BoundMethod<Owner: AnyObject & Sendable, Element: Sendable>: Sendable {
    @usableFromInline let method: UnappliedMethod<Owner, Element>
    @inlinable @inline(__always) init(_ method: @escaping UnappliedMethod<Owner, Element>) { self.method = method }

    /// The actor of the method; nil: it runs where the element comes from.
    @inlinable @inline(__always) func isolation(of owner: Owner) -> (any Actor)? { method(owner).isolation }

    /// For a method without isolation: the type says that the call may hop, and without an actor it never does.
    @inlinable @inline(__always) func call(_ owner: Owner, _ element: Element) {
        // In a struct: a function that is passed as a generic argument is wrapped, which allocates.
        unsafeBitCast(Isolated(function: method(owner)), to: Plain.self).function(element)
    }
    @usableFromInline struct Isolated {
        @usableFromInline let function: @isolated(any) @Sendable (Element) -> Void
        @inlinable @inline(__always) init(function: @escaping @isolated(any) @Sendable (Element) -> Void) {
            self.function = function
        }
    }
    @usableFromInline struct Plain { @usableFromInline let function: @Sendable (Element) -> Void }
    /// On the method's actor.
    @inlinable func call(_ owner: Owner, _ element: Element, on actor: isolated any Actor) async {
        await method(owner)(element)
    }
}
