// map: transforms each element.
//
//     --1---2---3--|
//     map { $0 * 10 }
//     --10--20--30-|

extension ObservableConvertible {
    /// Transforms each element.
    ///
    /// Completion, failure, cancel and demand pass through untouched. O(1) for each element, no allocation.
    ///
    /// - Parameter transform: makes the new element. Where the stream can fail it may throw the stream's own failure:
    ///   that cancels upstream and fails the stream.
    @inlinable @inline(__always)
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        let up = observable
        return Observable<Output, Failure>(Stage("map", Element.self, Output.self, file, line), after: up.depth) {
            down in
            let next = down.next
            guard Failure.self == Never.self else {
                return up.attachTrying(down, step: { x throws(Failure) in next(try transform(x)) })
            }
            // One closure and no call between: what throws `Never` is not caught.
            return up.attach(
                Observer(
                    next: { x in
                        do throws(Failure) { return next(try transform(x)) } catch { return false }
                    }, done: down.done))
        }
    }
}

extension ObservableConvertible {
    /// Transforms each element with a closure that may throw anything, so that the stream may fail with anything.
    ///
    /// An error cancels upstream and fails the stream. Completion, cancel and demand pass through; a failure passes as
    /// `any Error`. O(1) for each element. It is the one twin of an operator: where the failure's type is known, `map` with
    /// `throws(E)` keeps it.
    ///
    /// - Parameter transform: makes the new element, or throws.
    @inlinable
    public func tryMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, any Error> {
        let up = observable
        return Observable<Output, any Error>(Stage("tryMap", Element.self, Output.self, file, line), after: up.depth) {
            down in
            up.attachTrying(down) { down.next(try transform($0)) }
        }
    }
}
