/// A subscriber for tests: it records every signal with its virtual time and its thread, asks for as much as you say,
/// and counts what a stream may not do.
///
///     let probe = Probe<Int, Never>()
///     probe.attach(to: stream)
///     probe.request(2)
///     #expect(probe.elements == [1, 2])
///     probe.cancel()
///     #expect(probe.isReleased)            // the stream has let go of the handlers
///
/// The stream does not hold the probe: hold it yourself. One that is released cancels, as a token does. Safe from any
/// thread.
public final class Probe<Element: Sendable, Failure: Error>: Sendable, CustomStringConvertible {
    /// What a stream says.
    public enum Signal: Sendable {
        /// An element.
        case next(Element)
        /// The end.
        case done(Completion<Failure>)
    }
    /// A signal as it came.
    public struct Record: Sendable {
        /// What was said.
        public let signal: Signal
        /// When, on the probe's clock; nil without one.
        public let time: VirtualClock.Instant?
        /// Tells the threads apart that signals came on.
        public let thread: UInt
    }

    /// Held by the handlers alone.
    fileprivate final class Canary: Sendable {}
    fileprivate struct State {
        var subscription: Subscription?
        weak var canary: Canary?
        var wasAttached = false
        var records: [Record] = []
        var elements: [Element] = []
        var completion: Completion<Failure>?
        var requested = 0
        var used = 0
        /// The threads that are inside a signal.
        var inside: [UInt] = []
        var canceller: UInt?
        /// Signals of other threads that may have been under way at the cancel.
        var grace = 0
        var faults = ProbeFaults()
    }
    private let state = Lock(State())
    private let clock: VirtualClock?
    private let journal: Journal?
    private let onNext: @Sendable (Probe, Element) -> Bool
    private let onDone: @Sendable (Probe, Completion<Failure>) -> Void

    /// A probe that is attached to nothing yet.
    ///
    /// - Parameters:
    ///   - clock: gives records their time.
    ///   - journal: gets a line for each signal: `next 1`, `finished`, `failed(…)`.
    ///   - next: called inside each element's signal, after it was recorded. Its answer is the observer's: `false` means
    ///     dropped, which costs no demand.
    ///   - done: called inside the end's signal, after it was recorded.
    public init(
        clock: VirtualClock? = nil, journal: Journal? = nil,
        next: @escaping @Sendable (Probe, Element) -> Bool = { _, _ in true },
        done: @escaping @Sendable (Probe, Completion<Failure>) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.journal = journal
        onNext = next
        onDone = done
    }

    deinit {
        let subscription = state.withLock { $0.subscription }
        subscription?.cancel()
    }

    /// Attaches to a stream and asks for nothing yet. A probe attaches once: a second call does nothing.
    public func attach(to stream: some ObservableConvertible<Element, Failure>) {
        let isFirst = state.withLock { state in
            let isFirst = !state.wasAttached
            state.wasAttached = true
            return isFirst
        }
        guard isFirst else { return }
        let canary = Canary()
        state.withLock { $0.canary = canary }
        let subscription = stream.observable.attach(
            Observer(
                next: { [weak self] element in
                    _ = canary
                    return self?.take(element) ?? true
                },
                done: { [weak self] completion in
                    _ = canary
                    self?.take(completion)
                }))
        state.withLock { $0.subscription = subscription }
    }

    /// Asks for more. Without a stream it does nothing.
    public func request(_ demand: Demand) {
        let subscription = state.withLock { state in
            let (sum, overflow) = state.requested.addingReportingOverflow(demand.count)
            state.requested = overflow ? .max : sum
            return state.subscription
        }
        subscription?.request(demand)
    }

    /// Cancels. The probe goes on counting what still comes.
    public func cancel() {
        let subscription = state.withLock { $0.subscription }
        subscription?.cancel()
        state.withLock { state in
            guard state.canceller == nil else { return }
            state.canceller = threadIdentity()
            state.grace = 1
        }
    }

    /// Lets go of the subscription without a cancel.
    public func drop() {
        let dropped = state.withLock { state in
            let dropped = state.subscription
            state.subscription = nil
            return dropped
        }
        _ = dropped
    }

    /// The elements so far.
    public var elements: [Element] { state.withLock { $0.elements } }
    /// The end, once it has come.
    public var completion: Completion<Failure>? { state.withLock { $0.completion } }
    /// Has the end come?
    public var isDone: Bool { completion != nil }
    /// Everything that came, in order.
    public var records: [Record] { state.withLock { $0.records } }
    /// How many signals came.
    public var signalCount: Int { state.withLock { $0.records.count } }
    /// How many elements were asked for in all; `Int.max` means everything.
    public var requested: Int { state.withLock { $0.requested } }
    /// How many elements were taken, that is answered with `true`.
    public var used: Int { state.withLock { $0.used } }
    /// Is some thread inside a handler now?
    public var isInside: Bool { state.withLock { !$0.inside.isEmpty } }
    /// Has the stream let go of the handlers? Exact after a cancel or the end, on the thread that delivers.
    public var isReleased: Bool { state.withLock { $0.canary == nil } }
    /// What the stream did that it may not do.
    public var faults: ProbeFaults { state.withLock { $0.faults } }

    /// As in `Probe(3 elements, finished)`.
    public var description: String {
        let (count, end) = state.withLock { ($0.elements.count, $0.completion) }
        return "Probe(\(count) elements, \(end.map { "\($0)" } ?? "not ended"))"
    }

    private func take(_ element: Element) -> Bool {
        enter(.next(element)) { state in
            state.elements.append(element)
            if state.used >= state.requested { state.faults.excess += 1 }
        }
        journal?.add("next \(element)")
        let used = onNext(self, element)
        leave { if used { $0.used += 1 } }
        return used
    }
    private func take(_ completion: Completion<Failure>) {
        enter(.done(completion)) { state in
            if state.completion == nil { state.completion = completion }
        }
        journal?.add("\(completion)")
        onDone(self, completion)
        leave { _ in }
    }
    private func enter(_ signal: Signal, _ change: (inout State) -> Void) {
        let record = Record(signal: signal, time: clock?.now, thread: threadIdentity())
        state.withLock { state in
            state.countFaults(record.thread)
            state.inside.append(record.thread)
            state.records.append(record)
            change(&state)
        }
    }
    private func leave(_ change: (inout State) -> Void) {
        let thread = threadIdentity()
        state.withLock { state in
            if let index = state.inside.lastIndex(of: thread) { state.inside.remove(at: index) }
            change(&state)
        }
    }
}

extension Probe.State {
    fileprivate mutating func countFaults(_ thread: UInt) {
        if inside.contains(thread) { faults.nested += 1 }
        if inside.contains(where: { $0 != thread }) { faults.overlapping += 1 }
        if requested == 0 { faults.beforeRequest += 1 }
        if completion != nil { faults.afterEnd += 1 }
        guard let canceller else { return }
        if canceller != thread && grace > 0 { grace -= 1 } else { faults.afterCancel += 1 }
    }
}

/// How often a stream did what it may not do, as a probe has seen it.
public struct ProbeFaults: Sendable, Equatable {
    /// Signals before the first request.
    public var beforeRequest = 0
    /// Elements beyond what was asked for.
    public var excess = 0
    /// Signals that began while another thread was inside one.
    public var overlapping = 0
    /// Signals that began inside another one of the same thread.
    public var nested = 0
    /// Signals after the end.
    public var afterEnd = 0
    /// Signals that began after `cancel` had returned; one that was under way on another thread is not counted.
    public var afterCancel = 0

    /// Counts, all zero by default.
    public init(
        beforeRequest: Int = 0, excess: Int = 0, overlapping: Int = 0, nested: Int = 0, afterEnd: Int = 0,
        afterCancel: Int = 0
    ) {
        self.beforeRequest = beforeRequest
        self.excess = excess
        self.overlapping = overlapping
        self.nested = nested
        self.afterEnd = afterEnd
        self.afterCancel = afterCancel
    }
}
