import Weir
import WeirTesting

/// A cold source with a script, which obeys demand exactly and writes down what is asked of it.
final class Upstream<Element: Sendable, Failure: Error>: ObservableConvertible, Sendable {
    enum Ending {
        case finish
        case fail(Failure)
        /// Neither an end nor an element any more.
        case silence
        /// Lets the observer go without an end, as a subject does that nobody holds any more.
        case loss
    }
    /// As in `attach, request 1, cancel`.
    let log = Log()
    private let elements: [Element]
    private let ending: Ending

    init(_ elements: [Element], _ ending: Ending = .finish) {
        self.elements = elements
        self.ending = ending
    }
    var observable: Observable<Element, Failure> {
        Observable { [elements, ending, log] observer in
            log.add("attach")
            let run = Run(elements, ending, observer)
            return Subscription(
                request: { demand in
                    log.add("request \(demand)")
                    run.request(demand)
                },
                cancel: {
                    log.add("cancel")
                    run.cancel()
                })
        }
    }
    var cancels: Int { log.all.count { $0 == "cancel" } }
    var attaches: Int { log.all.count { $0 == "attach" } }

    private final class Run: Sendable {
        struct State {
            var observer: Observer<Element, Failure>?
            var left = 0
            var index = 0
            var isEmitting = false
            var isLent = false
        }
        let elements: [Element]
        let ending: Ending
        let state: Guarded<State>

        init(_ elements: [Element], _ ending: Ending, _ observer: Observer<Element, Failure>) {
            self.elements = elements
            self.ending = ending
            state = Guarded(State(observer: observer))
        }
        func request(_ demand: Demand) {
            let starts = state.withLock { state in
                let (sum, overflow) = state.left.addingReportingOverflow(demand.count)
                state.left = overflow ? .max : sum
                defer { state.isEmitting = true }
                return !state.isEmitting
            }
            if starts { emit() }
        }
        private enum Step {
            case next(Element, Observer<Element, Failure>)
            case end(Observer<Element, Failure>)
            case rest
        }
        private func step() -> Step {
            state.withLock { state in
                guard let observer = state.observer else { return .rest }
                if state.index == elements.count {
                    if case .silence = ending {
                        state.isEmitting = false
                        return .rest
                    }
                    state.observer = nil
                    return .end(observer)
                }
                guard state.left > 0 else {
                    state.isEmitting = false
                    return .rest
                }
                state.index += 1
                if state.left != .max { state.left -= 1 }
                return .next(elements[state.index - 1], observer)
            }
        }
        private func emit() {
            while true {
                switch step() {
                case .rest: return
                case .next(let element, let observer):
                    if !observer.next(element) {
                        state.withLock { state in if state.left != .max { state.left += 1 } }
                    }
                case .end(let observer):
                    switch ending {
                    case .finish: observer.done(.finished)
                    case .fail(let error): observer.done(.failed(error))
                    case .silence, .loss: break
                    }
                    return
                }
            }
        }
        func cancel() {
            let dropped = state.withLock { state in
                let dropped = state.observer
                state.observer = nil
                return dropped
            }
            _ = dropped
        }
    }
}
