/// What `retry` knows of one subscription: how many attempts in a row have failed without an element.
///
/// Only whoever runs the chain touches it: the live attempt, then the loop that starts the next one.
@usableFromInline final class Attempts<Element: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline let source: Observable<Element, Failure>
    @exclusivity(unchecked) @usableFromInline var hasElement = false
    @exclusivity(unchecked) @usableFromInline var failed = 0

    @inlinable init(_ source: Observable<Element, Failure>) { self.source = source }

    /// The source, and a note of whether an element came.
    @inlinable var next: Observable<Element, Failure> {
        Observable(depth: source.depth) { down in
            self.source.attach(
                Observer(
                    next: { element in
                        self.hasElement = true
                        return down.next(element)
                    }, done: down.done))
        }
    }
    /// Counts a failure; answers how many there were since the last element.
    @inlinable func fail() -> Int {
        failed = hasElement ? 1 : failed + 1
        hasElement = false
        return failed
    }
}
