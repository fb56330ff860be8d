/// A labelled, hot source of events that never fails and never ends by itself.
///
///     let reading = Topic<Double>("Thermostat.reading")
///     reading.events.subscribe(panel, with: Panel.show)
///     reading.publish(21.5)
///
/// All subscribers see one order. A publish from inside a handler waits until the event in hand has reached everyone; a
/// publish from another thread never enters a handler that is running, and nothing is lost. When the last reference to
/// the topic goes, its subscribers are freed.
public final class Topic<Event: Sendable>: ObservableConvertible, CustomStringConvertible {
    /// What the topic is called, by convention `Type.name`, a static one `+Type.name`.
    public let label: String
    private let subject: PublishSubject<Event, Never>

    /// A topic without subscribers.
    ///
    /// - Parameter label: its name in logs and graphs.
    public init(_ label: String = "unnamed", file: StaticString = #fileID, line: UInt = #line) {
        self.label = label
        subject = PublishSubject(file: file, line: line)
    }

    /// Sends an event to all subscribers, in their order of subscription.
    ///
    /// Safe from any thread and from inside any handler. O(subscribers).
    public func publish(_ event: Event) { subject.send(event) }

    /// The events, as a stream that cannot fail. It does not keep the topic alive.
    public var events: Observable<Event, Never> { subject.observable }

    /// The events: a topic goes wherever a stream does.
    public var observable: Observable<Event, Never> { events }

    /// Listens without an owner: the token's life is the subscription's.
    ///
    /// - Parameter next: takes each event, wherever it is published.
    /// - Returns: a token that cancels when it is released.
    public func listen(
        _ next: sending @escaping (Event) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        events.subscribe(next, file: file, line: line)
    }

    /// As in `Topic<Double>("Thermostat.reading")`.
    public var description: String { "Topic<\(Event.self)>(\"\(label)\")" }
}

extension Topic where Event == Void {
    /// Sends the one event there is.
    public func publish() { publish(()) }
}
