/// A topic whose events can carry who published them.
///
///     let volume = SignedTopic<Int>("Player.volume")
///     volume.events.dropping(signedBy: slider).unsigned.subscribe(slider, with: Slider.move)
///     volume.publish(7, signedBy: slider)        // the slider does not hear its own move
public final class SignedTopic<Event: Sendable>: ObservableConvertible, CustomStringConvertible {
    @usableFromInline let topic: Topic<Signed<Event>>

    /// A topic without subscribers.
    ///
    /// - Parameter label: its name in logs and graphs.
    public init(_ label: String = "unnamed", file: StaticString = #fileID, line: UInt = #line) {
        topic = Topic(label, file: file, line: line)
    }

    /// What the topic is called.
    public var label: String { topic.label }

    /// Sends an event that `object` signs, or nobody where it is left out. See `Topic.publish(_:)`.
    @inlinable public func publish(
        _ event: Event, signedBy object: AnyObject? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        topic.publish(Signed(event, by: object.map { Signature(of: $0) }), file: file, line: line)
    }
    /// Sends an event with a signature that you hold.
    @inlinable public func publish(
        _ event: Event, signedBy signature: Signature, file: StaticString = #fileID, line: UInt = #line
    ) {
        topic.publish(Signed(event, by: signature), file: file, line: line)
    }

    /// The events with their signatures, as a stream that cannot fail. It does not keep the topic alive.
    @inlinable public var events: Observable<Signed<Event>, Never> { topic.events }

    /// The events: a topic goes wherever a stream does.
    @inlinable public var observable: Observable<Signed<Event>, Never> { events }

    /// How many subscriptions there are now. See `Topic.subscriberCount`.
    public var subscriberCount: Int { topic.subscriberCount }

    /// Ends all subscriptions of an owner to this topic. See `Topic.cancel(_:)`.
    public func cancel(_ owner: AnyObject) { topic.cancel(owner) }

    /// As in `SignedTopic<Int>("Player.volume")`.
    public var description: String { "SignedTopic<\(Event.self)>(\"\(label)\")" }
}

extension SignedTopic where Event == Void {
    /// Sends the one event there is, signed by `object`, or by nobody.
    @inlinable public func publish(
        signedBy object: AnyObject? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        publish((), signedBy: object, file: file, line: line)
    }
}
