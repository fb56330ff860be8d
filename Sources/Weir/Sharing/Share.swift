// share: one upstream subscription for all subscribers.
//
//     upstream:   --1--2--3--|
//     first:      --1--2--3--|
//     second:        ^-2--3--|

extension ObservableConvertible {
    /// Shares one upstream subscription among all subscribers, as long as there is one.
    ///
    /// The first subscriber's request connects; the last cancel disconnects; who comes after the end connects anew.
    /// Upstream is asked for what the slowest subscriber wants, and the others wait with it: nothing is dropped, and
    /// nothing piles up. A subscriber that joins in the instant in which a connection ends sees only the end.
    /// O(subscribers) for each element.
    ///
    /// - Parameter count: how many of the last elements a newcomer to a running connection gets first; zero or more.
    @inlinable
    public func share(
        replay count: Int = 0, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let sharing = Sharing(up, replay: max(0, count))
        return Observable(Stage("share", Element.self, Element.self, file, line), after: up.depth) {
            Subscription(ShareEngine(sharing, $0))
        }
    }
}

/// The running connection of a shared stream.
@usableFromInline final class Sharing<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline final class Connection: Sendable {
        @usableFromInline let hub: Hub<Element, Failure>
        @usableFromInline let users = Tally()
        @inlinable init(_ hub: Hub<Element, Failure>) { self.hub = hub }
    }
    @usableFromInline let source: Observable<Element, Failure>
    @usableFromInline let replay: Int
    @usableFromInline let current = Lock<Connection?>(nil)

    @inlinable init(_ source: Observable<Element, Failure>, replay: Int) {
        self.source = source
        self.replay = replay
    }
    @inlinable func join(_ scope: Trace.Scope) -> Connection {
        // Made outside the lock, kept only where nobody was faster.
        let new = connection(scope)
        return current.withLock { current in
            let joined = current ?? new
            joined.users.add()
            current = joined
            return joined
        }
    }
    @inlinable func connection(_ scope: Trace.Scope) -> Connection {
        let ended = Cell<() -> Void>({})
        let feed = Hub<Element, Failure>.Feed(
            attach: { [source] observer in scope.run { source.attach(observer) } }, ended: { ended.value() })
        let new = Connection(Hub(replay: replay, feed: feed))
        ended.value = { [weak self, weak new] in self?.forget(new) }
        return new
    }
    /// The connection is over: who comes now connects anew.
    @inlinable func forget(_ connection: Connection?) {
        let released = current.withLock { current -> Connection? in
            guard let connection, current === connection else { return nil }
            current = nil
            return connection
        }
        _ = released
    }
    @inlinable func leave(_ connection: Connection) {
        let isLast = current.withLock { current in
            let isLast = connection.users.add(-1) == 0
            if isLast && current === connection { current = nil }
            return isLast
        }
        if isLast { connection.hub.signal(.stop) }
    }
}

/// One subscriber: joins at its first request.
@usableFromInline final class ShareEngine<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline enum State {
        case fresh(Observer<Element, Failure>)
        case joined(Sharing<Element, Failure>.Connection, Hub<Element, Failure>.Entry)
        case gone
    }
    @usableFromInline let sharing: Sharing<Element, Failure>
    @usableFromInline let scope: Trace.Scope
    @usableFromInline let state: Lock<State>

    @inlinable init(_ sharing: Sharing<Element, Failure>, _ down: Observer<Element, Failure>) {
        self.sharing = sharing
        scope = Trace.Scope.current
        state = Lock(.fresh(down))
    }
    @inlinable func request(_ demand: Demand) {
        let entry = state.withLock { state -> Hub<Element, Failure>.Entry? in
            switch state {
            case .fresh(let down):
                let connection = sharing.join(scope)
                let entry = Hub.Entry(down, connection.hub)
                state = .joined(connection, entry)
                return entry
            case .joined(_, let entry): return entry
            case .gone: return nil
            }
        }
        entry?.request(demand)
    }
    @inlinable func cancel() {
        let old = state.withLock { state in
            let old = state
            state = .gone
            return old
        }
        if case .joined(let connection, let entry) = old {
            entry.cancel()
            sharing.leave(connection)
        }
    }
}
