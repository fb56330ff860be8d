// from a sequence: emits each element, then finishes.
//
//     Observable([1, 2, 3])
//     (123|)

extension Observable {
    /// Emits each element of a sequence, then finishes.
    ///
    /// The sequence is iterated anew for each subscription, inside `request`, one element ahead of demand so that the
    /// end needs none. Cancel stops the iteration. O(1) for each element, no allocation.
    ///
    /// - Parameter elements: any sequence; an endless one serves a subscriber that cancels or asks for a few at a time.
    @inlinable
    public init<Elements: Sequence & Sendable>(
        _ elements: Elements, file: StaticString = #fileID, line: UInt = #line
    ) where Elements.Element == Element {
        self.init(Stage("sequence", nil, Element.self, file, line), elements)
    }

    @inlinable init<Elements: Sequence & Sendable>(_ stage: Stage, _ elements: Elements)
    where Elements.Element == Element {
        self.init(depth: 0) { down in
            stage.attach(down) { Subscription(SequenceSource(Peeking(elements.makeIterator()), $0)) }
        }
    }
}

extension Observable where Failure == Never {
    /// The same where nothing else says how the stream may fail: it cannot.
    @inlinable
    public init<Elements: Sequence & Sendable>(
        _ elements: Elements, file: StaticString = #fileID, line: UInt = #line
    ) where Elements.Element == Element {
        self.init(Stage("sequence", nil, Element.self, file, line), elements)
    }
}

/// An iterator with the element that it gave last, which has yet to go out.
@usableFromInline protocol Peekable {
    associatedtype Iterator: IteratorProtocol where Iterator.Element: Sendable
    var iterator: Iterator { get set }
    var upcoming: Iterator.Element? { get set }
}

@usableFromInline struct Peeking<Iterator: IteratorProtocol>: Peekable where Iterator.Element: Sendable {
    @usableFromInline var iterator: Iterator
    @usableFromInline var upcoming: Iterator.Element?
    @inlinable init(_ iterator: Iterator) { self.iterator = iterator }
}

/// Whoever raises demand from zero emits; others only add to it.
///
/// What it holds is one field of the parameter's own type, for the reason that `OneSource` gives.
@usableFromInline final class SequenceSource<Content: Peekable, Failure: Error>: Engine {
    @usableFromInline typealias Element = Content.Iterator.Element
    @usableFromInline let requested = Requested()
    @exclusivity(unchecked) @usableFromInline var content: Content
    @exclusivity(unchecked) @usableFromInline var begun = false
    @exclusivity(unchecked) @usableFromInline var down: Observer<Element, Failure>?

    @inlinable init(_ content: Content, _ down: Observer<Element, Failure>) {
        self.content = content
        self.down = down
    }
    @inlinable func request(_ demand: Demand) {
        if requested.add(demand) == 0, let down { emit(demand.count, down) }
    }
    @inlinable func cancel() { if requested.endAnsweringBefore() == 0 { down = nil } }

    @inlinable func emit(_ count: Int, _ down: Observer<Element, Failure>) {
        let next = down.next
        var left = count
        var iterator = content.iterator
        var upcoming = content.upcoming
        if !begun {
            begun = true
            upcoming = iterator.next()
        }
        while true {
            var used = 0
            if left == .max {
                while let element = upcoming {
                    if requested.isOver { return self.down = nil }
                    _ = next(element)
                    upcoming = iterator.next()
                }
            } else {
                while used < left, let element = upcoming {
                    if requested.isOver { return self.down = nil }
                    if next(element) { used &+= 1 }
                    upcoming = iterator.next()
                }
            }
            if upcoming == nil { return finish(down) }
            content.iterator = iterator
            content.upcoming = upcoming
            left = requested.spend(used)
            if left < 0 { return self.down = nil }
            if left == 0 { return }
        }
    }
    @inlinable func finish(_ down: Observer<Element, Failure>) {
        let alive = requested.end()
        self.down = nil
        if alive { down.done(.finished) }
    }
}
