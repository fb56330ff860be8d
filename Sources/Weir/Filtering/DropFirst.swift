// dropFirst: drops the first elements.
//
//     --1--2--3--4--|
//     dropFirst(2)
//     --------3--4--|

extension ObservableConvertible {
    /// Drops the first `count` elements.
    ///
    /// They cost no demand. Completion, failure and cancel pass through untouched. O(1) for each element.
    ///
    /// - Parameter count: how many to drop; zero or less drops none.
    @inlinable
    public func dropFirst(
        _ count: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("dropFirst", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth) { down in
            let next = down.next
            let left = Cell(count)
            return up.attach(
                Observer(
                    next: { element in
                        if left.value <= 0 { return next(element) }
                        left.value &-= 1
                        return false
                    }, done: down.done))
        }
    }
}
