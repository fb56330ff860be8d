// Observed: a property that is a stream, too.
//
//     @Observed var photos: [Photo] = []     self.photos = [a]     self.$photos
//     $photos subscribed:   [ ]-----[a]---   (the current value, then each one that is set)

import Observation

/// A property with a stream: `$photos` starts with the current value and says each new one *after* it was set, so a handler
/// that reads the property finds what it was told, or something newer.
///
///     @MainActor final class Album {
///         @Observed var photos: [Photo] = []
///     }
///
/// It takes part in Swift Observation: `withObservationTracking`, and so a SwiftUI view, sees reads and changes. The class
/// needs no `@Observable` for that; where it has one, write `@ObservationIgnored @Observed`.
///
/// When the object goes, its streams end as a subject's do: subscribers are freed without a call of `done`, and `values`
/// loops end as finished.
///
/// **Sending it across threads.** The wrapper and its projection are `Sendable`: reading and setting are safe from any
/// thread. A property wrapper is a `var`, though, and a nonisolated `Sendable` class may have none. So it stands in a
/// class of an actor (`@MainActor`), in an actor, or in a class that is not `Sendable`; in a `Sendable` one write
/// `let photos = Observed(wrappedValue: [])`. Reading and then setting, as `count += 1` does, is two steps and not one.
///
/// Reading is O(1). Setting is O(subscribers). Changing a collection in place copies it.
@propertyWrapper
public struct Observed<Value: Sendable>: Sendable, CustomStringConvertible {
    @usableFromInline let store: ObservedStore<Value>

    /// A property that starts with `wrappedValue`.
    @inlinable public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line) {
        store = ObservedStore(wrappedValue, file, line)
    }

    /// The value. Setting it publishes, also where it is equal to the one before.
    @inlinable public var wrappedValue: Value {
        get { store.value }
        // The storage itself is never changed: a handler may read and set the property while it is being set.
        nonmutating set { store.value = newValue }
    }

    /// The property as a stream, and as the target of `bind(to:)`.
    @inlinable public var projectedValue: Projection { Projection(store) }

    /// As in `Observed<Int>(3)`. It does not count as a read.
    public var description: String { "Observed<\(Value.self)>(\(store.subject.value))" }

    /// What `$photos` is: the stream of a property, and the target of `bind(to:)`. It does not keep the object alive.
    public struct Projection: ObservableConvertible, CustomStringConvertible {
        @usableFromInline weak let store: ObservedStore<Value>?
        /// The current value, then each one that is set. It ends with the object, without a completion.
        public let observable: Observable<Value, Never>

        @inlinable init(_ store: ObservedStore<Value>) {
            self.store = store
            observable = store.subject.observable
        }
        /// As in `Observed<Int>.Projection(3)`, or `(gone)` after the object's death.
        public var description: String {
            "Observed<\(Value.self)>.Projection(\(store.map { "\($0.subject.value)" } ?? "gone"))"
        }
    }
}

/// The value of a property, its stream, and what is bound to it: that ends in its deinit.
@usableFromInline final class ObservedStore<Value: Sendable>: SubscriptionOwner, Sendable {
    @usableFromInline let subject: BehaviorSubject<Value, Never>
    @usableFromInline let subscriptions = SubscriptionBag()
    @usableFromInline let reads = ObservedReads()

    @inlinable init(_ value: Value, _ file: StaticString, _ line: UInt) {
        subject = BehaviorSubject(value, Stage("Observed", nil, Value.self, file, line))
    }

    @inlinable var value: Value {
        get {
            reads.note()
            return subject.value
        }
        set { reads.announce { subject.send(newValue) } }
    }
}

/// What Swift Observation knows of a property. It is not generic, so that its key path is made once.
@usableFromInline final class ObservedReads: Observation.Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private static let path: any KeyPath<ObservedReads, Void> & Sendable = \ObservedReads.change
    private var change: Void { () }

    @usableFromInline init() {}
    @usableFromInline func note() { registrar.access(self, keyPath: Self.path) }
    @usableFromInline func announce(_ set: () -> Void) {
        registrar.withMutation(of: self, keyPath: Self.path, set)
    }
}
