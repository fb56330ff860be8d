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
