// debug: prints each signal that passes one place in a chain.
//
//     --1--2--|
//     debug("keys")      keys: subscribe, request unbounded, next 1, next 2, finished
//     --1--2--|

extension ObservableConvertible {
    /// Prints each signal that passes here, both ways: `subscribe`, `request 3`, `next …`, `finished`, `failed(…)`,
    /// `cancel`.
    ///
    /// Each line is written before its signal goes on, so what a signal causes stands below it. `subscribe` comes with
    /// the first request, which is when a subscription begins. The stream itself is not changed. O(1) for each signal,
    /// and the time of printing.
    ///
    /// - Parameters:
    ///   - label: stands before each line; the file and line of the call by default.
    ///   - sink: takes each line, as in `keys: next 1`; prints it by default. Requests and cancels come from any thread,
    ///     so it may be called several times at once.
    @inlinable
    public func debug(
        _ label: String? = nil, to sink: @escaping @Sendable (String) -> Void = { print($0) },
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let label = label ?? "\(file):\(line)"
        return Observable(Stage("debug", Element.self, Element.self, file, line), after: up.depth) { down in
            let started = Started()
            let source = up.attach(
                Observer(
                    next: {
                        sink("\(label): next \($0)")
                        return down.next($0)
                    },
                    done: {
                        sink("\(label): \($0)")
                        down.done($0)
                    }))
            return Subscription(
                request: {
                    if started.flag.raise() { sink("\(label): subscribe") }
                    sink("\(label): request \($0)")
                    source.request($0)
                },
                cancel: {
                    sink("\(label): cancel")
                    source.cancel()
                })
        }
    }
}

/// Whether the first request has come.
@usableFromInline final class Started: Sendable {
    @usableFromInline let flag = Flag()
    @inlinable init() {}
}
