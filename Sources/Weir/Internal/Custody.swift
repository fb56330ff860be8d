/// Keeps the observer of a source that is called from a task or a callback: one signal at a time, and cancel from
/// anywhere. Whoever takes the observer out of its place owns it; cancel while it is lent makes the borrower drop it.
@usableFromInline struct Custody<Element: Sendable, Failure: Error>: ~Copyable {
    @usableFromInline enum Place {
        case kept(Observer<Element, Failure>)
        case lent
        case gone
    }
    @usableFromInline let place: Lock<Place>

    @inlinable init(_ observer: Observer<Element, Failure>) { place = Lock(.kept(observer)) }

    @inlinable borrowing func swap(_ new: Place) -> Place {
        place.withLock { place in
            let old = place
            if case .gone = old { return old }
            place = new
            return old
        }
    }

    /// Delivers an element. nil: the stream is over; else the observer's answer.
    @inlinable borrowing func next(_ element: Element) -> Bool? {
        guard case .kept(let observer) = swap(.lent) else { return nil }
        let used = observer.next(element)
        if case .gone = swap(.kept(observer)) { return nil }
        return used
    }
    /// Delivers the end, once.
    @inlinable borrowing func done(_ completion: Completion<Failure>) {
        if case .kept(let observer) = swap(.gone) { observer.done(completion) }
    }
    /// Lets the observer go, or has the borrower do it.
    @inlinable borrowing func drop() { _ = swap(.gone) }

    @inlinable var isGone: Bool {
        place.withLock { place in
            if case .gone = place { return true }
            return false
        }
    }
}
