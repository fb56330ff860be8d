/// A source that you feed by hand and that remembers what was asked of it.
///
///     let source = TestSource<Int, TestFailure>()
///     probe.attach(to: source.observable.prefix(2))
///     probe.request(5)
///     source.send(1)
///     source.send(2)
///     #expect(source.log == ["attach", "request 5", "next 1", "cancel", "teardown", "next 2"])
///
/// Each subscription is a link of its own: it starts with the elements given to `init`, if any, and then gets what you
/// send. One thread delivers, others and re-entrant sends leave their element and return. Safe from any thread.
public final class TestSource<Element: Sendable, Failure: Error>: ObservableConvertible, CustomStringConvertible {
    /// What becomes of an element that was not asked for.
    public enum WithoutDemand: Sendable {
        /// It waits until it is asked for. A source that keeps the rules.
        case wait
        /// It goes out. A source that breaks rule 1.1.
        case send
        /// It is refused, and counted by the link as `refused`.
        case refuse
    }
    struct Plan: Sendable {
        let elements: [Element]
        let end: Completion<Failure>?
        let withoutDemand: WithoutDemand
        let isStubborn: Bool
        let dropsObserver: Bool
        let journal: Journal
        let prefix: String
    }
    let plan: Plan
    private struct State {
        var links: [TestLink<Element, Failure>] = []
        var end: Completion<Failure>?
    }
    private let state = Lock(State())

    /// A source.
    ///
    /// - Parameters:
    ///   - elements: what each subscription gets first.
    ///   - end: how each subscription ends after `elements`; nil leaves it open.
    ///   - withoutDemand: what becomes of an element that was not asked for.
    ///   - isStubborn: goes on sending after a cancel, as a source on another thread may for a moment.
    ///   - dropsObserver: after `elements` it lets go of its observer without an end, as a subject does that nobody holds.
    ///   - journal: where the log is written; a new one by default.
    ///   - name: stands before each line of the log, as in `name: cancel`; none by default.
    public init(
        _ elements: [Element] = [], end: Completion<Failure>? = nil, withoutDemand: WithoutDemand = .wait,
        isStubborn: Bool = false, dropsObserver: Bool = false, journal: Journal = Journal(), name: String? = nil
    ) {
        plan = Plan(
            elements: elements, end: end, withoutDemand: withoutDemand, isStubborn: isStubborn,
            dropsObserver: dropsObserver, journal: journal, prefix: name.map { "\($0): " } ?? "")
    }

    /// The stream. Attaching is logged; it starts at the first request.
    public var observable: Observable<Element, Failure> {
        Observable { [self] down in
            let link = TestLink(down, plan)
            let end = state.withLock { state in
                state.links.append(link)
                return state.end
            }
            if let end { link.send(completion: end) }
            return Subscription(request: { link.request($0) }, cancel: { link.cancel() })
        }
    }

    /// The subscriptions so far, in their order.
    public var links: [TestLink<Element, Failure>] { state.withLock { $0.links } }

    /// Sends an element to every subscription.
    public func send(_ element: Element) { for link in links { link.send(element) } }
    /// Ends every subscription, present and future. A second end does nothing.
    public func send(completion: Completion<Failure>) {
        state.withLock { if $0.end == nil { $0.end = completion } }
        for link in links { link.send(completion: completion) }
    }
    /// Finishes every subscription.
    public func finish() { send(completion: .finished) }
    /// Fails every subscription.
    public func fail(_ error: Failure) { send(completion: .failed(error)) }

    /// Lets every observer go: a stubborn subscription keeps its own after a cancel, and so its whole chain.
    func letGo() { for link in links { link.letGo() } }

    /// What happened, a line each: `attach`, `request 3`, `request unbounded`, `next 1`, `cancel`, `finished`,
    /// `failed(…)`, and `teardown` once for each subscription that is over.
    public var log: [String] { plan.journal.lines }
    /// The requests alone.
    public var requests: [Demand] { links.flatMap(\.requests) }
    /// As in `TestSource(2 links, 1 open)`.
    public var description: String { "TestSource(\(links.count) links, \(links.count { $0.isOpen }) open)" }
}

/// One subscription of a `TestSource`.
public final class TestLink<Element: Sendable, Failure: Error>: Sendable, CustomStringConvertible {
    private struct State {
        var observer: Observer<Element, Failure>?
        var waiting: [Element]
        /// The place of the first in `waiting` that has not gone out.
        var head = 0
        var end: Completion<Failure>?
        var requests: [Demand] = []
        var requested = 0
        var used = 0
        var refused = 0
        var isDelivering = false
        var isEnding = false
        var callsDuringEnd = 0
        var requestsAfterEnd = 0
        var hasEnded = false
        var cancels = 0
        var isOver = false

        mutating func takeFirst() -> Element {
            let element = waiting[head]
            head += 1
            if head > 64 && head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return element
        }
    }
    private enum Step {
        case next(Element, Observer<Element, Failure>)
        case done(Completion<Failure>, Observer<Element, Failure>)
        case drop(Observer<Element, Failure>)
        case rest
    }
    private let state: Lock<State>
    private let plan: TestSource<Element, Failure>.Plan

    init(_ observer: Observer<Element, Failure>, _ plan: TestSource<Element, Failure>.Plan) {
        self.plan = plan
        state = Lock(State(observer: observer, waiting: plan.elements, end: plan.end))
        note("attach")
    }

    /// Sends an element, or does with it what the source's `withoutDemand` says. After the end it does nothing.
    public func send(_ element: Element) {
        state.withLock { state in
            if (state.isOver && !plan.isStubborn) || state.end != nil { return }
            if case .refuse = plan.withoutDemand, state.used + state.waiting.count - state.head >= state.requested {
                return state.refused += 1
            }
            state.waiting.append(element)
        }
        deliver()
    }
    /// Ends it, after what waits. Before the first request the end waits for that. A second end does nothing.
    public func send(completion: Completion<Failure>) {
        state.withLock { if $0.end == nil { $0.end = completion } }
        deliver()
    }

    /// Neither ended nor cancelled.
    public var isOpen: Bool { state.withLock { !$0.isOver } }
    /// The requests, in their order.
    public var requests: [Demand] { state.withLock { $0.requests } }
    /// How many elements were asked for and have not come yet; `Int.max` means everything.
    public var demand: Int { state.withLock { $0.requested == .max ? .max : $0.requested - $0.used } }
    /// How many elements were refused for want of demand.
    public var refused: Int { state.withLock { $0.refused } }
    /// How often it was cancelled.
    public var cancels: Int { state.withLock { $0.cancels } }
    /// How often `request` or `cancel` was called while its end was being signalled (rule 2.3).
    public var callsDuringEnd: Int { state.withLock { $0.callsDuringEnd } }
    /// How often it was asked for more after its end had been signalled (rule 2.4).
    public var requestsAfterEnd: Int { state.withLock { $0.requestsAfterEnd } }
    /// As in `TestLink(open, 2 asked for)`.
    public var description: String {
        "TestLink(\(isOpen ? "open" : "over"), \(demand == .max ? "all" : "\(demand)") asked for)"
    }

    func request(_ demand: Demand) {
        note("request \(demand)")
        state.withLock { state in
            state.requests.append(demand)
            if state.isEnding { state.callsDuringEnd += 1 }
            if state.hasEnded { state.requestsAfterEnd += 1 }
            let (sum, overflow) = state.requested.addingReportingOverflow(demand.count)
            state.requested = overflow ? .max : sum
        }
        deliver()
    }
    func cancel() {
        note("cancel")
        let (dropped, isFirst) = state.withLock { state -> (Observer<Element, Failure>?, Bool) in
            if state.isEnding { state.callsDuringEnd += 1 }
            state.cancels += 1
            let isFirst = !state.isOver
            state.isOver = true
            if plan.isStubborn { return (nil, isFirst) }
            let dropped = state.observer
            state.observer = nil
            return (dropped, isFirst)
        }
        if isFirst { note("teardown") }
        _ = dropped
    }
    func letGo() {
        let dropped = state.withLock { state in
            let dropped = state.observer
            state.observer = nil
            return dropped
        }
        _ = dropped
    }
    private func note(_ line: String) { plan.journal.add(plan.prefix + line) }

    /// One caller delivers at a time; the others leave what they have, and it is found here.
    private func deliver() {
        let isFree = state.withLock { state in
            let isFree = !state.isDelivering
            state.isDelivering = true
            return isFree
        }
        guard isFree else { return }
        while true {
            switch state.withLock({ step(&$0) }) {
            case .next(let element, let observer):
                note("next \(element)")
                let used = observer.next(element)
                state.withLock { if used { $0.used += 1 } }
            case .done(let completion, let observer):
                note("\(completion)")
                observer.done(completion)
                state.withLock { state in
                    state.isEnding = false
                    state.hasEnded = true
                }
                note("teardown")
            case .drop: break
            case .rest: return
            }
        }
    }
    private func step(_ state: inout State) -> Step {
        if let observer = state.observer, state.requested > 0 {
            var mayGo = state.requested == .max || state.used < state.requested
            if case .send = plan.withoutDemand { mayGo = true }
            if state.head < state.waiting.count {
                if mayGo { return .next(state.takeFirst(), observer) }
            } else if let end = state.end, !state.isOver {
                state.observer = nil
                state.isOver = true
                state.isEnding = true
                return .done(end, observer)
            } else if plan.dropsObserver && !state.isOver {
                state.observer = nil
                state.isOver = true
                return .drop(observer)
            }
        }
        state.isDelivering = false
        return .rest
    }
}
