import Weir
import WeirTesting

/// The failure of most tests.
struct Boom: Error, Equatable, CustomStringConvertible {
    var code = 0
    var description: String { "boom\(code == 0 ? "" : "\(code)")" }
}

/// A subscriber by hand: it attaches, asks when it is told, and writes down what comes.
///
/// It keeps watch over the rules of a stream, too: `faults` says what an upstream did that it must not do.
final class Listener<Element: Sendable, Failure: Error>: Sendable {
    private struct State {
        var elements: [Element] = []
        var end: Completion<Failure>?
        var asked = 0
        var used = 0
        var isInside = false
        var isCancelled = false
        var faults: [String] = []
        var subscription: Subscription?
        var canary: Canary?
    }
    private let state = Guarded(State())
    /// Nil once the stream has let go of what its observer captured.
    let canary = WeakCanary()

    /// - Parameters:
    ///   - demand: asked for at once.
    ///   - uses: answers for each element whether it used demand.
    ///   - onNext: runs inside the handler.
    init(
        _ source: some ObservableConvertible<Element, Failure>, _ demand: Demand? = nil,
        uses: @escaping (Element) -> Bool = { _ in true }, onNext: @escaping (Listener, Element) -> Void = { _, _ in },
        onDone: @escaping (Listener) -> Void = { _ in }
    ) {
        let canary = Canary()
        self.canary.set(canary)
        let subscription = source.observable.attach(
            Observer(
                next: { [unowned self, canary] element in
                    _ = canary
                    let used = uses(element)
                    enter { state in
                        state.elements.append(element)
                        if state.end != nil { state.faults.append("an element after the end") }
                        if used { state.used += 1 }
                        if state.used > state.asked { state.faults.append("\(state.used) elements for \(state.asked)") }
                        if state.asked == 0 { state.faults.append("an element before the first request") }
                    }
                    onNext(self, element)
                    leave()
                    return used
                },
                done: { [unowned self] end in
                    enter { state in
                        if state.end != nil { state.faults.append("a second end") }
                        if state.asked == 0 { state.faults.append("an end before the first request") }
                        if state.isCancelled { state.faults.append("an end after cancel") }
                        state.end = end
                    }
                    onDone(self)
                    leave()
                }))
        state.withLock { $0.subscription = subscription }
        if let demand { request(demand) }
    }
    deinit { cancel() }

    private func enter(_ change: (inout State) -> Void) {
        state.withLock { state in
            if state.isInside { state.faults.append("a signal inside a signal") }
            state.isInside = true
            change(&state)
        }
    }
    private func leave() { state.withLock { $0.isInside = false } }

    func request(_ demand: Demand) {
        let subscription = state.withLock { state in
            let (sum, overflow) = state.asked.addingReportingOverflow(demand.count)
            state.asked = overflow ? .max : sum
            return state.subscription
        }
        subscription?.request(demand)
    }
    func cancel() {
        let subscription = state.withLock { state in
            state.isCancelled = true
            return state.subscription
        }
        subscription?.cancel()
    }
    /// Cancels and lets the subscription go, as a token does.
    func release() {
        cancel()
        let dropped = state.withLock { state in
            let dropped = state.subscription
            state.subscription = nil
            return dropped
        }
        _ = dropped
    }

    var elements: [Element] { state.withLock { $0.elements } }
    var end: Completion<Failure>? { state.withLock { $0.end } }
    var faults: [String] { state.withLock { $0.faults } }

    /// Elements, then `|` for the end or `#` and the failure; faults behind it in brackets.
    var text: String {
        state.withLock { state in
            var words = state.elements.map { "\($0)" }
            switch state.end {
            case .finished: words.append("|")
            case .failed(let error): words.append("#\(error)")
            case nil: break
            }
            words += state.faults.map { "[\($0)]" }
            return words.joined(separator: " ")
        }
    }
}

/// An object whose death a test watches.
final class Canary: Sendable {
    private let onDeath: @Sendable () -> Void
    init(_ onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }
    deinit { onDeath() }
}

/// A weak place for a canary.
final class WeakCanary: Sendable {
    private struct Place { weak var canary: Canary? }
    private let place = Guarded(Place())
    func set(_ canary: Canary) { place.withLock { $0.canary = canary } }
    var isAlive: Bool { place.withLock { $0.canary != nil } }
}

/// What happened, in order, from any thread.
final class Log: Sendable, CustomStringConvertible {
    private let lines = Guarded<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
    var description: String { all.joined(separator: ", ") }
}

/// A number that any thread adds to.
final class Counter: Sendable {
    private let count = Guarded(0)
    func add(_ number: Int = 1) { count.withLock { $0 += number } }
    var value: Int { count.withLock { $0 } }
}
