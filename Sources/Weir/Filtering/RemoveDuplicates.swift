// removeDuplicates: drops an element that is equal to the one before.
//
//     --1--1--2--1--|
//     removeDuplicates
//     --1-----2--1--|

extension ObservableConvertible {
    /// Drops an element that the closure finds equal to the last one kept.
    ///
    /// A dropped element costs no demand. Completion, failure and cancel pass through untouched. O(1) for each element,
    /// and it keeps one.
    ///
    /// - Parameter areEqual: compares the last element kept with the new one. Where the stream can fail it may throw the
    ///   stream's own failure: that cancels upstream and fails the stream.
    @inlinable
    public func removeDuplicates(
        by areEqual: @escaping @Sendable (Element, Element) throws(Failure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let stage = Stage("removeDuplicates", Element.self, Element.self, file, line)
        return Observable(stage, after: up.depth) { down in
            let next = down.next
            let last = Cell<Element?>(nil)
            @inline(__always) func step(_ element: Element) throws(Failure) -> Bool {
                if let known = last.value, try areEqual(known, element) { return false }
                last.value = element
                return next(element)
            }
            guard Failure.self == Never.self else { return up.attachTrying(down, step: step) }
            return up.attach(
                Observer(
                    next: { x in
                        do throws(Failure) { return try step(x) } catch { return false }
                    }, done: down.done))
        }
    }
}

extension ObservableConvertible where Element: Equatable {
    /// Drops an element that is equal to the one before.
    ///
    /// A dropped element costs no demand. Completion, failure and cancel pass through untouched. O(1) for each element,
    /// and it keeps one.
    @inlinable
    public func removeDuplicates(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        removeDuplicates(by: { $0 == $1 }, file: file, line: line)
    }
}
