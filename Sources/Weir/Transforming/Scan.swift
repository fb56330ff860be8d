// scan: emits each running accumulation.
//
//     --1--2--3--|
//     scan(0) { $0 + $1 }
//     --1--3--6--|

extension ObservableConvertible {
    /// Accumulates, and emits each result. The seed itself is not emitted.
    ///
    /// Each subscription starts from the seed. Completion, failure, cancel and demand pass through untouched. O(1) for
    /// each element beside the closure.
    ///
    /// - Parameters:
    ///   - seed: what the first element is accumulated onto.
    ///   - accumulate: makes the new result from the last one and the element. Where the stream can fail it may throw
    ///     the stream's own failure: that cancels upstream and fails the stream.
    @inlinable
    public func scan<Output: Sendable>(
        _ seed: Output, _ accumulate: @escaping @Sendable (Output, Element) throws(Failure) -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        let up = observable
        let stage = Stage("scan", Element.self, Output.self, file, line)
        return Observable<Output, Failure>(stage, after: up.depth) { down in
            let next = down.next
            let result = Cell(seed)
            @inline(__always) func step(_ element: Element) throws(Failure) -> Bool {
                result.value = try accumulate(result.value, element)
                return next(result.value)
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
