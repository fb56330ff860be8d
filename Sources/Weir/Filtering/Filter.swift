// filter: keeps the elements that match.
//
//     --1--2--3--4--|
//     filter { $0.isMultiple(of: 2) }
//     -----2-----4--|

extension ObservableConvertible {
    /// Keeps the elements that match, and drops the others.
    ///
    /// A dropped element costs no demand: downstream still gets as many as it asked for. Completion, failure and cancel
    /// pass through untouched. O(1) for each element, no allocation.
    ///
    /// - Parameter isIncluded: answers whether the element stays. Where the stream can fail it may throw the stream's
    ///   own failure: that cancels upstream and fails the stream.
    @inlinable @inline(__always)
    public func filter(
        _ isIncluded: @escaping @Sendable (Element) throws(Failure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        return Observable(Stage("filter", Element.self, Element.self, file, line), after: up.depth) { down in
            let next = down.next
            guard Failure.self == Never.self else {
                return up.attachTrying(down, step: { x throws(Failure) in try isIncluded(x) ? next(x) : false })
            }
            // One closure and no call between: what throws `Never` is not caught.
            return up.attach(
                Observer(
                    next: { x in
                        do throws(Failure) { return try isIncluded(x) ? next(x) : false } catch { return false }
                    }, done: down.done))
        }
    }
}
