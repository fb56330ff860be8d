import Testing
import WeirPeers
import WeirTesting

/// Subscribes, keeps what arrives, and lets a test await it.
final class Recorder<Element: Sendable, Failure: Error>: Sendable {
    struct Log: Sendable {
        var elements: [Element] = []
        var completion: Completion<Failure>?
    }
    private struct Waiter {
        let isMet: @Sendable (Log) -> Bool
        let resume: CheckedContinuation<Log, Never>
    }
    private struct State {
        var log = Log()
        var waiters: [Waiter] = []
        var token: SubscriptionToken?
    }
    private let state = Guarded(State())

    init(_ stream: some ObservableConvertible<Element, Failure>) {
        let token = stream.subscribe(
            { [weak self] element in self?.change { $0.elements.append(element) } },
            done: { [weak self] end in self?.change { $0.completion = end } })
        state.withLock { $0.token = token }
    }

    var log: Log { state.withLock { $0.log } }
    var elements: [Element] { log.elements }
    var failure: Failure? { log.completion?.failure }

    func cancel() {
        let token = state.withLock { state in
            defer { state.token = nil }
            return state.token
        }
        token?.cancel()
    }

    /// Waits until what has arrived satisfies the condition.
    @discardableResult func wait(until isMet: @escaping @Sendable (Log) -> Bool) async -> Log {
        await withCheckedContinuation { continuation in
            let now = state.withLock { state -> Log? in
                if isMet(state.log) { return state.log }
                state.waiters.append(Waiter(isMet: isMet, resume: continuation))
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
    }

    func count(_ count: Int) async -> [Element] { await wait { $0.elements.count >= count }.elements }

    /// The one element of a command that succeeds.
    func one() async throws -> Element {
        let log = await wait { $0.completion != nil }
        if let failure = log.completion?.failure { throw failure }
        try #require(log.elements.count == 1)
        return log.elements[0]
    }

    /// How the stream ends.
    func end() async -> Failure? { await wait { $0.completion != nil }.completion?.failure }

    private func change(_ body: (inout Log) -> Void) {
        let (log, met) = state.withLock { state in
            body(&state.log)
            let log = state.log
            let met = state.waiters.filter { $0.isMet(log) }
            state.waiters.removeAll { $0.isMet(log) }
            return (log, met)
        }
        for waiter in met { waiter.resume.resume(returning: log) }
    }
}
