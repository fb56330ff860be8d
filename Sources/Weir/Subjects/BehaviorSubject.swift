// BehaviorSubject: a hot source that hands its latest element to each newcomer.
//
//     start with 0, send:  --1--2-----3--|
//     subscriber:             ^2-----3--|

/// A hot source with a current value: a newcomer gets the latest element first, then what comes after it.
///
/// It keeps the rules of `PublishSubject`: one order for all, no recursion, nothing dropped. After the end a newcomer
/// gets the end alone.
public final class BehaviorSubject<Element: Sendable, Failure: Error>: ObservableConvertible, CustomStringConvertible {
    @usableFromInline struct State {
        @usableFromInline var value: Element
        @usableFromInline var isOver = false
        @inlinable init(value: Element) { self.value = value }
    }
    @usableFromInline let hub = Hub<Element, Failure>(replay: 1)
    @usableFromInline let state: Lock<State>
    @usableFromInline let stage: Stage

    /// A subject that starts with `value`.
    @inlinable public convenience init(_ value: Element, file: StaticString = #fileID, line: UInt = #line) {
        self.init(value, Stage("BehaviorSubject", nil, Element.self, file, line))
    }
    @inlinable init(_ value: Element, _ stage: Stage) {
        state = Lock(State(value: value))
        self.stage = stage
        hub.send(value)
    }
    @inlinable deinit { hub.signal(.stop) }

    /// The value sent last, from whichever thread; it may still be on its way to the subscribers. Setting it sends.
    @inlinable public var value: Element {
        get { state.withLock { $0.value } }
        set { send(newValue) }
    }

    /// Makes `element` the value and sends it to all subscribers. After the end it does nothing.
    ///
    /// Safe from any thread and from inside any handler. O(subscribers).
    @inlinable public func send(_ element: Element) {
        // Posting under the lock makes `value` and the stream agree on one order. Nothing runs in there.
        let (old, isOwner) = state.withLock { state -> (Element?, Bool) in
            if state.isOver { return (nil, false) }
            let old = state.value
            state.value = element
            return (old, hub.serial.post(.next(element)))
        }
        if isOwner { hub.drain() }
        _ = old
    }

    /// Ends the stream for all subscribers, present and future. A second end does nothing.
    @inlinable public func send(completion: Completion<Failure>) {
        let isOwner = state.withLock { state in
            if state.isOver { return false }
            state.isOver = true
            return hub.serial.post(.done(completion))
        }
        if isOwner { hub.drain() }
    }

    /// The stream. It refers to the subject's subscribers and does not keep the subject alive.
    @inlinable public var observable: Observable<Element, Failure> { hub.observable(stage) }

    /// As in `BehaviorSubject<Int, Never>(3)`.
    public var description: String { "BehaviorSubject<\(Element.self), \(Failure.self)>(\(value))" }
}
