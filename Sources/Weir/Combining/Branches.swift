// branches: several chains over one stream, their answers to one element side by side.
//
//     --1----2----3--|
//     branches({ $0.map { $0 * 10 } }, { $0.filter { $0 != 2 } })
//     --(10,1)----(30,3)--|

extension ObservableConvertible {
    /// Subscribes once, lets each element through all branches, and emits their answers to it as one row.
    ///
    /// Where `combineLatest` over a diamond shows a row in between for each branch, this shows none: a row's parts come from
    /// the same element. An element that a branch does not answer makes no row; of several answers the last one counts.
    /// Answers that come when the element has passed, as behind an operator with a clock, or at the end, are left out.
    ///
    /// A branch that fails ends the stream with its failure, one that finishes ends it well, both behind the row of that
    /// element; upstream is cancelled first. Of several that end at one element a failure counts first. A branch that ends by
    /// itself is noticed at the next signal of upstream. When upstream finishes, so does what each branch starts from; a
    /// branch that has failed by then, or fails at that, fails the stream, and what would fail later is cancelled. A failure
    /// of upstream passes through, unless a branch failed before it, and does not reach the branches. Cancel and demand
    /// pass through: an element without a row costs none. O(branches) for each element.
    ///
    /// - Parameter branches: make their chain from the stream, anew for each subscription; called when it is attached.
    @inlinable
    public func branches<each Branch: Sendable>(
        _ branches: repeat @escaping @Sendable (Observable<Element, Failure>) -> Observable<each Branch, Failure>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<(repeat each Branch), Failure> {
        // `@escaping` is needed: without it Swift 6.3 lets the closures escape in silence, and frees them while in use.
        let up = observable
        let stage = Stage("branches", Element.self, (repeat each Branch).self, file, line)
        return Observable<(repeat each Branch), Failure>(stage, after: up.depth, weight: Segment.engine) { down in
            let fork = Fork<Element, Failure>()
            let answers = (repeat fork.lane((each branches)(fork.passage.stream)))
            fork.clear = { repeat (each answers).value = nil }
            return fork.attach(up, down) {
                do { return (repeat try (each answers).taken()) } catch { return nil }
            }
        }
    }
}
