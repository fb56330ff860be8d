// compactMap: transforms each element and drops nil.
//
//     --"1"--"x"--"3"--|
//     compactMap { Int($0) }
//     --1---------3----|

extension ObservableConvertible {
    /// Transforms each element and keeps what is not nil.
    ///
    /// A dropped element costs no demand. Completion, failure and cancel pass through untouched. O(1) for each element.
    ///
    /// - Parameter transform: makes the new element, or nil to drop it. Where the stream can fail it may throw the
    ///   stream's own failure: that cancels upstream and fails the stream.
    @inlinable @inline(__always)
    public func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output?,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Output, Failure> {
        let up = observable
        let stage = Stage("compactMap", Element.self, Output.self, file, line)
        return Observable<Output, Failure>(stage, after: up.depth) { down in
            let next = down.next
            @inline(__always) func step(_ element: Element) throws(Failure) -> Bool {
                if let output = try transform(element) { next(output) } else { false }
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
