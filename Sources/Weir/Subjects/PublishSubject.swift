// PublishSubject: a hot source fed by hand, without memory.
//
//     send:        --1--2-----3--|
//     subscriber:     ^-2-----3--|

/// A hot source that you feed by hand; a newcomer gets what comes after it.
///
/// All subscribers see one order, that in which the elements were taken. A `send` from inside a handler waits until the
/// element in hand has reached everyone; a `send` from another thread during a delivery returns at once and the
/// delivering thread sends it. So it never deadlocks, never recurses, and a handler never runs twice at once.
///
/// Nothing is dropped: a subscriber that has not asked for an element finds it in a queue of its own. When the last
/// reference to the subject goes, its subscribers are freed without a completion.
public final class PublishSubject<Element: Sendable, Failure: Error>: ObservableConvertible, CustomStringConvertible {
    @usableFromInline let hub = Hub<Element, Failure>()
    @usableFromInline let stage: Stage

    /// A subject without subscribers.
    @inlinable public init(file: StaticString = #fileID, line: UInt = #line) {
        stage = Stage("PublishSubject", nil, Element.self, file, line)
    }
    @inlinable deinit { hub.signal(.stop) }

    /// Sends an element to all subscribers, in their order of subscription. After the end it does nothing.
    ///
    /// Safe from any thread and from inside any handler. O(subscribers).
    @inlinable public func send(_ element: Element) { hub.send(element) }

    /// Sends an element, or calls `unheard` with it where nobody subscribes.
    package func send(_ element: Element, unheard: @escaping (Element) -> Void) {
        hub.signal(.offer(.init(element, unheard)))
    }

    /// Ends the stream for all subscribers, present and future. A second end does nothing.
    @inlinable public func send(completion: Completion<Failure>) { hub.signal(.done(completion)) }

    /// The stream. It refers to the subject's subscribers and does not keep the subject alive.
    @inlinable public var observable: Observable<Element, Failure> { hub.observable(stage) }

    /// As in `PublishSubject<Int, Never>`.
    public var description: String { "PublishSubject<\(Element.self), \(Failure.self)>" }
}

extension PublishSubject where Element == Void {
    /// Sends the one element there is.
    @inlinable public func send() { send(()) }
}
