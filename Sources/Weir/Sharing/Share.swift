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
    /// nothing piles up. A subscriber that joins in the instant in which a connection ends sees only the end; one that leaves
    /// as the last and comes back inside the same signal may find the connection still there. O(subscribers) for each element.
    ///
    /// - Parameter count: how many of the last elements a newcomer to a running connection gets first; zero or more.
    @inlinable
    public func share(
        replay count: Int = 0, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element, Failure> {
        let up = observable
        let sharing = Sharing(up, replay: max(0, count))
        return Observable(
            Stage("share", Element.self, Element.self, file, line), after: up.depth, weight: Segment.engine
        ) {
            Subscription(ShareEngine(sharing, $0))
        }
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
