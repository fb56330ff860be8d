/// A request that was opened and runs, whether or not anybody waits for it.
///
/// As a stream it emits its outcome once, also to those who come later, and finishes.
public final class OpenedRoute: ObservableConvertible, CustomStringConvertible {
    private enum Work {
        case pending
        case running(Task<Void, Never>)
        case cancelled
    }

    /// Counts the requests of a router, from 1.
    public let number: Int
    /// The URL as it was opened.
    public let url: String
    /// Whether a route took the URL when it was opened. A proxy may still send the request elsewhere or stop it.
    public let matched: Bool
    private let result = BehaviorSubject<RouteOutcome?, Never>(nil)
    private let work = Lock(Work.pending)

    init(number: Int, url: String, matched: Bool) {
        self.number = number
        self.url = url
        self.matched = matched
    }

    /// The outcome, once.
    public var observable: Observable<RouteOutcome, Never> {
        // The closure keeps the subject: the outcome is there for whoever subscribes, also when nobody holds the handle.
        result.observable.compactMap { outcome in withExtendedLifetime(self) { outcome } }.prefix(1)
    }

    /// Waits for the outcome. Cancelling the waiting task ends the waiting with `.failed`, and not the request.
    public var outcome: RouteOutcome {
        get async { await observable.first ?? .failed(CancellationError()) }
    }

    /// Cancels the handler or proxy that runs, or takes the request out of the queue. The outcome is `.failed` with a
    /// `CancellationError`, and the next request is served. After the outcome it does nothing.
    public func cancel() {
        let task = work.withLock { work -> Task<Void, Never>? in
            defer { work = .cancelled }
            if case .running(let task) = work { return task }
            return nil
        }
        task?.cancel()
    }

    /// As in `OpenedRoute(1, "photos://photo/42", running)`.
    public var description: String {
        "OpenedRoute(\(number), \"\(url)\", \(result.value.map { "\($0)" } ?? "running"))"
    }

    // MARK: For the router

    func run(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        let isCancelled = work.withLock { work in
            if case .cancelled = work { return true }
            work = .running(task)
            return false
        }
        if isCancelled { task.cancel() }
    }

    func settle(_ outcome: RouteOutcome) { result.send(outcome) }

    /// Waits for the outcome; cancelling the waiting task cancels the request.
    func settled() async -> RouteOutcome {
        await withTaskCancellationHandler {
            await outcome
        } onCancel: {
            cancel()
        }
    }
}

/// A request that is over: what was opened, and what became of it.
public struct ServedRoute: Sendable, CustomStringConvertible {
    /// The number of the request, as in `OpenedRoute`.
    public let number: Int
    /// The URL as it was opened.
    public let url: String
    /// What became of it.
    public let outcome: RouteOutcome

    /// The URL and the outcome.
    public var description: String { "\(url) \(outcome)" }
}
