/// Between a stream and a loop that awaits it: a buffer, a waiter, and demand for as much again as was taken. It is asked
/// for once half of it is taken, and at the latest before the loop waits: one element ahead is never two.
@usableFromInline final class Pump<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var buffer: ContiguousArray<Element> = []
        @usableFromInline var end: Completion<Failure>?
        @usableFromInline var waiter: UnsafeContinuation<Void, Never>?
        @usableFromInline var up: Subscription?
        /// Taken and not yet asked for again.
        @usableFromInline var owed = 0
        @inlinable init() {}
    }
    /// What upstream holds. Dropping the pump cancels, since upstream does not hold it.
    @usableFromInline final class Mailbox: Sendable {
        @usableFromInline let state = Lock(State())
        @inlinable init() {}

        @inlinable func push(_ element: Element) -> Bool {
            let waiter = state.withLock { state in
                state.buffer.append(element)
                let waiter = state.waiter
                state.waiter = nil
                return waiter
            }
            waiter?.resume()
            return true
        }
        @inlinable func finish(_ completion: Completion<Failure>) {
            let (waiter, up) = state.withLock { state in
                if state.end == nil { state.end = completion }
                let answer = (state.waiter, state.up)
                state.waiter = nil
                state.up = nil
                return answer
            }
            waiter?.resume()
            _ = up
        }
        @inlinable func cancel() {
            let (waiter, up, dropped) = state.withLock { state in
                let answer = (state.waiter, state.up, state.buffer)
                state.waiter = nil
                state.up = nil
                state.end = .finished
                state.buffer = []
                return answer
            }
            up?.cancel()
            waiter?.resume()
            _ = dropped
        }
    }
    @usableFromInline let mailbox = Mailbox()
    @usableFromInline let prefetch: Int

    /// Attaches and requests here, not at the first `next`: what a hot source sends in between is kept.
    @inlinable init(_ source: Observable<Element, Failure>, prefetch: Int, stage: Stage) {
        self.prefetch = max(1, prefetch)
        let mailbox = self.mailbox
        let observer = Observer<Element, Failure>(
            next: { mailbox.push($0) }, end: { mailbox.finish($0) }, lost: { mailbox.finish(.finished) })
        let up = Trace.isOn ? Trace.subscribe(stage) { source.attach(observer) } : source.attach(observer)
        mailbox.state.withLock { $0.up = up }
        up.request(Demand(self.prefetch))
    }
    @inlinable deinit { mailbox.cancel() }

    @inlinable func cancel() { mailbox.cancel() }

    /// Fills `batch` with what is there, waiting for something. `false`: the end.
    @inlinable
    nonisolated(nonsending)
        func next(_ batch: inout ContiguousArray<Element>) async throws(Failure) -> Bool
    {
        batch.removeAll(keepingCapacity: true)
        while true {
            let (up, demand, end) = mailbox.state.withLock { state -> (Subscription?, Int, Completion<Failure>?) in
                let isEmpty = state.buffer.isEmpty
                if !isEmpty { swap(&batch, &state.buffer) }
                state.owed += batch.count
                let isDue = isEmpty || (prefetch > 1 && state.owed * 2 >= prefetch)
                let demand = isDue ? state.owed : 0
                if isDue { state.owed = 0 }
                return (state.up, demand, isEmpty ? state.end : nil)
            }
            if demand > 0 { up?.request(Demand(demand)) }
            if !batch.isEmpty { return true }
            if demand > 0 { continue }
            if let end {
                mailbox.state.withLock { $0.end = .finished }
                if case .failed(let error) = end { throw error }
                return false
            }
            await wait()
        }
    }
    @inlinable nonisolated(nonsending) func wait() async {
        let mailbox = mailbox
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                let isReady = mailbox.state.withLock { state in
                    if !state.buffer.isEmpty || state.end != nil { return true }
                    state.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
        } onCancel: {
            mailbox.cancel()
        }
    }
}
