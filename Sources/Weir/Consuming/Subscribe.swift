// subscribe: runs a stream into handlers.

extension ObservableConvertible {
    /// Runs the stream into two handlers, asking for everything.
    ///
    /// The handlers are called wherever the stream emits, one at a time. `done` is called once, at the end, and not
    /// after a cancel.
    ///
    /// - Parameters:
    ///   - next: takes each element.
    ///   - done: takes the end.
    /// - Returns: a token that cancels when it is released.
    @inlinable @inline(__always)
    public func subscribe(
        _ next: sending @escaping (Element) -> Void,
        done: sending @escaping (Completion<Failure>) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        let life = SubscriptionToken.Life()
        let observer = Observer<Element, Failure>(
            next: {
                next($0)
                return true
            },
            done: {
                life.finished.raise()
                done($0)
            })
        return observable.run(observer, life, file, line)
    }
}

extension ObservableConvertible where Failure == Never {
    /// Runs a stream that cannot fail into a handler, asking for everything.
    ///
    /// The handler is called wherever the stream emits, one element at a time.
    ///
    /// - Parameter next: takes each element.
    /// - Returns: a token that cancels when it is released.
    @inlinable @inline(__always)
    public func subscribe(
        _ next: sending @escaping (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> SubscriptionToken {
        // Not through `done: { _ in }`: a closure that captures `life` alone has it as its context, and allocates none.
        let life = SubscriptionToken.Life()
        let observer = Observer<Element, Failure>(
            next: {
                next($0)
                return true
            }, done: { _ in life.finished.raise() })
        return observable.run(observer, life, file, line)
    }
}

extension Observable {
    /// Attaches a subscriber that asks for everything; `life` is what it raises at the end.
    @inlinable @inline(__always)
    func run(
        _ observer: Observer<Element, Failure>, _ life: SubscriptionToken.Life, _ file: StaticString, _ line: UInt
    ) -> SubscriptionToken {
        let subscription =
            Trace.isOn
            ? Trace.subscribe(Stage("subscribe", Element.self, Element.self, file, line)) { attach(observer) }
            : attach(observer)
        let token = SubscriptionToken(subscription, life)
        subscription.request(.unbounded)
        return token
    }
}
