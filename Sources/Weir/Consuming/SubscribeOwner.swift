// subscribe(owner, …): a subscription that lives as long as its owner.

/// A subscription that belongs to an owner: letting go of this handle stops nothing.
public struct OwnerSubscription: Sendable, CustomStringConvertible {
    @usableFromInline let token: SubscriptionToken

    @inlinable init(_ token: SubscriptionToken) { self.token = token }

    /// Stops it before its owner goes. A second call does nothing.
    public func cancel() { token.cancel() }
    /// Has the stream ended, or was it cancelled, or has the owner's death been noticed?
    public var isFinished: Bool { token.isFinished }
    /// `OwnerSubscription(active)` or `OwnerSubscription(finished)`.
    public var description: String { "OwnerSubscription(\(isFinished ? "finished" : "active"))" }
}

/// An owner that ends its subscriptions in its own deinit, upstream included, and not at the next event.
///
///     final class Panel: SubscriptionOwner { let subscriptions = SubscriptionBag() … }
public protocol SubscriptionOwner: AnyObject {
    /// Where its subscriptions are kept: a stored property.
    var subscriptions: SubscriptionBag { get }
}

extension ObservableConvertible {
    /// Runs the stream into a closure together with an owner that is held weakly.
    ///
    /// From the owner's death on the handlers are never called; the subscription goes with the next element, or at once
    /// for a `SubscriptionOwner`. The handlers run wherever the stream emits.
    ///
    /// - Parameters:
    ///   - owner: whose life bounds the subscription.
    ///   - next: takes the owner and each element.
    ///   - done: takes the owner and the end.
    @discardableResult @inlinable
    public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, _ next: @escaping @Sendable (Owner, Element) -> Void,
        done: @escaping @Sendable (Owner, Completion<Failure>) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let stage = Stage("subscribe", Owner.self, Element.self, file, line)
        return OwnerSink.subscribe(observable, owner, stage) { [weak owner] letter in
            guard let owner else { return false }
            switch letter {
            case .next(let element): next(owner, element)
            case .done(let completion): done(owner, completion)
            case .lost: break
            }
            return true
        }
    }
}

extension ObservableConvertible where Failure == Never {
    /// Runs a stream that cannot fail into a closure together with an owner that is held weakly. See the form with
    /// `done:`.
    @discardableResult @inlinable @inline(__always)
    public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, _ next: @escaping @Sendable (Owner, Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        OwnerSink.directly(observable, owner, Stage("subscribe", Owner.self, Element.self, file, line), next)
    }

    /// Runs a stream that cannot fail into a method of an owner that is held weakly, as in
    /// `subscribe(slider, with: Slider.move)`.
    ///
    /// The method runs on its own actor, in order, where it has one (a main-actor method runs on the main actor), and
    /// else wherever the stream emits. From the owner's death on it is never called.
    ///
    /// - Parameters:
    ///   - owner: whose life bounds the subscription.
    ///   - method: an unapplied method of its type. An actor's own method cannot be given so: see `observe(by:)`.
    @discardableResult @inlinable @inline(__always)
    public func subscribe<Owner: AnyObject & Sendable>(
        _ owner: Owner, with method: @escaping UnappliedMethod<Owner, Element>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> OwnerSubscription {
        let stage = Stage("subscribe", Owner.self, Element.self, file, line)
        let bound = BoundMethod(method)
        return OwnerSink.method(
            observable, owner, stage, on: bound.isolation(of: owner), { bound.call($0, $1) },
            { await bound.call($1, $2, on: $0) })
    }
}
