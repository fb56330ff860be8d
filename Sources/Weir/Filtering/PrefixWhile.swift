// prefix(while:): the elements before the first that does not match, then the end.
//
//     --1--2--3--1--|
//     prefix { $0 < 3 }
//     --1--2--|

extension ObservableConvertible {
    /// Passes elements as long as they match, then finishes.
    ///
    /// The first one that does not match is dropped: upstream is cancelled, then the end is signalled, which needs no
    /// demand of its own. Failure and cancel pass through untouched, demand too. O(1) for each element.
    ///
    /// - Parameter predicate: answers whether the stream goes on; not asked again after it has said no. Where the stream can
    ///   fail it may throw the stream's own failure: that cancels upstream and fails the stream.
    @inlinable
    public func prefix(
        while predicate: @escaping @Sendable (Element) throws(Failure) -> Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        return Observable(Stage("prefix", Element.self, Element.self, file, line), after: up.depth) { down in
            let gate = Gate<Failure>()
            let subscription = up.attach(
                Observer(
                    next: { element in
                        if gate.isShut { return false }
                        do throws(Failure) {
                            return try predicate(element) ? down.next(element) : gate.end(.finished, down)
                        } catch {
                            return gate.end(.failed(error), down)
                        }
                    }, done: { completion in gate.pass { down.done(completion) } }))
            return gate.guarding(subscription)
        }
    }
}

extension Gate {
    /// Out of line, so that what runs for each element stays small.
    @inlinable @inline(never)
    func end<Element: Sendable>(_ completion: Completion<Failure>, _ down: Observer<Element, Failure>) -> Bool {
        close { down.done(completion) }
        return false
    }
}
