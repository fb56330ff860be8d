// from an async closure: runs it, emits its value, finishes.
//
//     Observable { await answer() }
//     ------(a|)

extension Observable {
    /// Runs an async closure at the first request, emits its value, and finishes.
    ///
    /// It runs in a task of its own with the subscriber's task-locals and priority, anew for each subscription. Cancel
    /// cancels the task, and nothing is signalled after it. O(1).
    ///
    /// - Parameter work: makes the value, or throws the stream's failure.
    @inlinable
    public init(
        _ work: @escaping @Sendable () async throws(Failure) -> Element,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(source: Stage("async", nil, Element.self, file, line)) { Subscription(TaskSource($0, work)) }
    }

    /// The same for a closure without `await`: it, too, runs in a task, at the first request.
    ///
    /// Without this form such a closure would be taken for that of `Observable(tracking:)`.
    @inlinable
    public init(
        _ work: @escaping @Sendable () throws(Failure) -> Element,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init({ () async throws(Failure) -> Element in try work() }, file: file, line: line)
    }
}

/// A task that is started by the first request and cancelled with the subscription.
@usableFromInline final class TaskSource<Element: Sendable, Failure: Error>: Engine {
    @usableFromInline let custody: Custody<Element, Failure>
    @usableFromInline let handle = TaskHandle()
    @usableFromInline let work: @Sendable () async throws(Failure) -> Element

    @inlinable init(
        _ down: Observer<Element, Failure>, _ work: @escaping @Sendable () async throws(Failure) -> Element
    ) {
        custody = Custody(down)
        self.work = work
    }
    @inlinable func request(_ demand: Demand) {
        handle.start(self) { engine in
            do throws(Failure) {
                let value = try await engine.work()
                if engine.custody.next(value) != nil { engine.custody.done(.finished) }
            } catch {
                engine.custody.done(.failed(error))
            }
        }
    }
    @inlinable func cancel() {
        custody.drop()
        handle.cancel()
    }
}
