// create: a stream from an imperative producer, with a teardown.
//
//     create { emitter in emitter.send(1); emitter.send(2); emitter.finish() }
//     (12|)

extension Observable {
    /// Builds a stream from a producer that sends by hand: a callback interface, a listener, a loop.
    ///
    /// The producer runs anew at the first request of each subscription. What it sends without demand waits in a queue:
    /// nothing is lost. The end goes out after the queue. O(1) for each element.
    ///
    /// - Parameter produce: gets the emitter, and may keep it and send from any thread. It says with `onTermination`
    ///   what to undo once the stream is over.
    @inlinable
    public static func create(
        _ produce: @escaping @Sendable (Emitter<Element, Failure>) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable {
        Observable(source: Stage("create", nil, Element.self, file, line)) {
            Subscription(CreateSource($0, produce))
        }
    }
}

/// The hand of a producer in `Observable.create`: sends elements and the end, from any thread.
public struct Emitter<Element: Sendable, Failure: Error>: Sendable, CustomStringConvertible {
    @usableFromInline let hub: Hub<Element, Failure>
    @usableFromInline let teardown: Teardown

    @inlinable init(_ hub: Hub<Element, Failure>, _ teardown: Teardown) {
        self.hub = hub
        self.teardown = teardown
    }
    /// Sends an element. After the end or a cancel it does nothing.
    @inlinable public func send(_ element: Element) { hub.send(element) }
    /// Ends the stream, then runs the teardown. Only the first end counts.
    @inlinable public func send(completion: Completion<Failure>) {
        hub.signal(.done(completion))
        teardown.run()
    }
    /// Ends the stream well.
    @inlinable public func finish() { send(completion: .finished) }
    /// Ends the stream with a failure.
    @inlinable public func fail(_ error: Failure) { send(completion: .failed(error)) }
    /// Is the stream over, by an end or by a cancel? A loop looks here.
    @inlinable public var isOver: Bool { teardown.isOver }
    /// Adds what to undo once the stream is over, by an end or by a cancel. It runs once; if the stream is over already,
    /// at once. Several run in the order in which they were added.
    @inlinable public func onTermination(_ action: @escaping @Sendable () -> Void) { teardown.add(action) }
    /// `Emitter(active)` or `Emitter(over)`.
    public var description: String { "Emitter(\(isOver ? "over" : "active"))" }
}

/// Actions that run once.
@usableFromInline final class Teardown: Sendable {
    @usableFromInline let actions = Lock<[@Sendable () -> Void]?>([])
    @inlinable init() {}
    @inlinable var isOver: Bool { actions.withLock { $0 == nil } }
    @inlinable func add(_ action: @escaping @Sendable () -> Void) {
        let isLate = actions.withLock { actions in
            actions?.append(action)
            return actions == nil
        }
        if isLate { action() }
    }
    @inlinable func run() {
        let due = actions.withLock { actions in
            let due = actions
            actions = nil
            return due
        }
        for action in due ?? [] { action() }
    }
}

/// A hub with one entry; the first request starts the producer.
@usableFromInline final class CreateSource<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let hub = Hub<Element, Failure>()
    @usableFromInline let entry: Hub<Element, Failure>.Entry
    @usableFromInline let teardown = Teardown()
    @usableFromInline let started = Flag()
    @usableFromInline let produce: @Sendable (Emitter<Element, Failure>) -> Void

    @inlinable init(
        _ down: Observer<Element, Failure>, _ produce: @escaping @Sendable (Emitter<Element, Failure>) -> Void
    ) {
        entry = Hub.Entry(down, hub)
        self.produce = produce
    }
    @inlinable func request(_ demand: Demand) {
        if teardown.isOver && !started.isUp { return }
        entry.request(demand)
        if started.raise() && !teardown.isOver { produce(Emitter(hub, teardown)) }
    }
    @inlinable func cancel() {
        entry.cancel()
        // Hub and entry hold each other until the hub lets go.
        hub.signal(.stop)
        teardown.run()
    }
}
