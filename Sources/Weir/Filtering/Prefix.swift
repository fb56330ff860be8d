// prefix: the first elements, then the end.
//
//     --1--2--3--4--|
//     prefix(2)
//     --1--(2|)

extension ObservableConvertible {
    /// Passes the first `count` elements, then finishes.
    ///
    /// Upstream is cancelled before the last element is handed on, so a sender in a circle stops in time. Failure and
    /// cancel pass through untouched, demand too. O(1) for each element.
    ///
    /// - Parameter count: how many to pass; zero or less finishes at the first request and never attaches upstream.
    @inlinable
    public func prefix(
        _ count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        if count <= 0 { return .empty(file: file, line: line) }
        let up = observable
        let stage = Stage("prefix", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth) { down in
            let gate = Gate<Failure>()
            let left = Cell(count)
            let subscription = up.attach(
                Observer(
                    next: { element in
                        if left.value > 1 {
                            // A dropped element counts as passed: downstream has seen it.
                            left.value &-= 1
                            return down.next(element)
                        }
                        return gate.last(left, element, down)
                    }, done: { completion in gate.pass { down.done(completion) } }))
            return gate.guarding(subscription)
        }
    }
}

extension Gate {
    /// The last element: upstream goes first, then the element, then the end.
    @inlinable @inline(never)
    func last<Element: Sendable>(_ left: Cell<Int>, _ element: Element, _ down: Observer<Element, Failure>) -> Bool {
        guard left.value == 1 else { return false }
        left.value = 0
        var used = false
        close {
            used = down.next(element)
            if !cancelled.isUp { down.done(.finished) }
        }
        return used
    }
}
