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
    @usableFromInline let subject: PublishSubject<Event, Never>
    @usableFromInline let roster: Roster

    /// What the topic is called, by convention `Type.name`, a static one `+Type.name`.
    public var label: String { roster.label }

    /// A topic without subscribers.
    ///
    /// - Parameter label: its name in logs and graphs.
    public init(_ label: String = "unnamed", file: StaticString = #fileID, line: UInt = #line) {
        roster = Roster(label, Stage("Topic", nil, Event.self, file, line))
        subject = PublishSubject(file: file, line: line)
    }

    deinit { roster.close() }

    /// Sends an event to all subscribers, in their order of subscription.
    ///
    /// Safe from any thread and from inside any handler. O(subscribers).
    @inlinable public func publish(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        if Trace.isOn { InformBureau.shared.publish(event, roster, file, line) }
        subject.send(event)
    }

    /// The events, as a stream that cannot fail. It does not keep the topic alive.
    @inlinable public var events: Observable<Event, Never> { subject.observable(listedIn: roster) }

    /// The events: a topic goes wherever a stream does.
    @inlinable public var observable: Observable<Event, Never> { events }

    /// How many subscriptions there are now. Those of owners that are dead end here, if nothing has noticed before.
    ///
    /// A chain that draws on the topic twice counts twice. O(n log n).
    public var subscriberCount: Int { roster.subscribers.count }

    /// Ends all subscriptions of an owner to this topic, through operators too.
    ///
    /// A subscription that draws on other topics as well ends as a whole.
    public func cancel(_ owner: AnyObject) { roster.cancel(owner) }

    /// As in `Topic<Double>("Thermostat.reading")`.
    public var description: String { "Topic<\(Event.self)>(\"\(label)\")" }
}

extension Topic where Event == Void {
    /// Sends the one event there is.
    @inlinable public func publish(file: StaticString = #fileID, line: UInt = #line) {
        publish((), file: file, line: line)
    }
}
