// buffer: a queue between a fast side and a slow one, with a rule for when it is full.
//
//     -123456---|       asked for one at a time, every 3 frames
//     buffer(.bounded(1, onOverflow: .dropOldest))
//     -1--3--6--|

/// How many elements may wait between a source and a slow subscriber.
public enum BufferPolicy<Failure: Error>: Sendable {
    /// As many as come.
    case unbounded
    /// At most so many, and what happens when one more comes. Less than zero counts as zero: nothing waits.
    case bounded(Int, onOverflow: Overflow<Failure>)
}

/// What happens when an element comes and the buffer is full.
public enum Overflow<Failure: Error>: Sendable {
    /// The one that waits longest makes room, and is counted.
    case dropOldest
    /// The new one is dropped, and counted.
    case dropNewest
    /// Upstream is cancelled, and what waits is followed by this failure. The element that found no room is counted.
    case fail(Failure)
    /// It does not come to that: upstream is asked for no more than there is room for, at least for one. A source that does
    /// not obey demand, as a subject, then keeps the queue itself.
    case suspend
}

extension ObservableConvertible {
    /// Lets a source run ahead of a slow subscriber, within a named limit.
    ///
    /// Upstream is asked for everything (with `suspend`: for what fits). Elements wait until they are asked for, in order.
    /// Completion and failure come after what waits. Cancel drops what waits and reaches upstream. O(1) for each element.
    ///
    /// - Parameters:
    ///   - policy: how many elements may wait, and what happens then.
    ///   - dropped: counts the elements that the policy drops, of all subscriptions.
    @inlinable
    public func buffer(
        _ policy: BufferPolicy<Failure>, dropped: DropCounter? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("buffer", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth, weight: Segment.engine) {
            Subscription(BufferEngine($0, up, policy, dropped))
        }
    }
}
