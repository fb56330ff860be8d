/// One rule's check of one operator: makes scenarios, and collects what went wrong.
final class Trial: Sendable {
    let subject: OperatorUnderTest
    let rule: String
    let patience: Duration
    let overlaps = Tally()
    private let found = Lock<[Violation]>([])

    init(_ subject: OperatorUnderTest, rule: String, patience: Duration) {
        self.subject = subject
        self.rule = rule
        self.patience = patience
    }
    var violations: [Violation] { found.withLock { $0 } }

    func expect(_ isKept: Bool, _ what: @autoclosure () -> String) {
        if isKept { return }
        let violation = Violation(rule: rule, operatorName: subject.name, what: what())
        found.withLock { $0.append(violation) }
    }

    /// A scenario whose input is known beforehand: `0..<count`, then the end.
    func cold(
        _ count: Int, end: Completion<TestFailure>? = .finished, next: @escaping Scenario.Next = { _, _ in true },
        done: @escaping Scenario.Done = { _ in }
    ) -> Scenario {
        Scenario(self, Array(0..<count), end: end, next: next, done: done)
    }
    /// A scenario that is fed by hand.
    func fed(
        isStubborn: Bool = false, next: @escaping Scenario.Next = { _, _ in true },
        done: @escaping Scenario.Done = { _ in }
    ) -> Scenario {
        Scenario(self, [], end: nil, isStubborn: isStubborn, next: next, done: done)
    }
    /// What comes out for `0..<count` if everything is asked for at once.
    func reference(_ count: Int) -> [String] { referenceRun(count).elements }
    func referenceRun(_ count: Int) -> Probe<String, TestFailure> {
        let scenario = cold(count)
        scenario.request(.unbounded)
        scenario.awaitEnd()
        let probe = scenario.probe
        scenario.close()
        return probe
    }
    /// Waits, in real time, until `isTrue`; answers whether it became so.
    func wait(meanwhile: () -> Void = {}, until isTrue: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: patience)
        while !isTrue() {
            if ContinuousClock.now > deadline { return false }
            meanwhile()
            Threads.pause(microseconds: 50)
        }
        return true
    }
    /// Runs the bodies on a thread each until all are done; `false`: they did not finish in time.
    func onThreads(_ bodies: [@Sendable () -> Void], meanwhile: () -> Void = {}) -> Bool {
        let finished = Guarded(0)
        let started = bodies.count { body in
            Threads.start {
                body()
                finished.withLock { $0 += 1 }
            }
        }
        return wait(meanwhile: meanwhile) { finished.withLock { $0 } == started } && started == bodies.count
    }
}

/// An operator, its upstream under control, and a probe below it.
final class Scenario: Sendable {
    typealias Next = @Sendable (Scenario, String) -> Bool
    typealias Done = @Sendable (Scenario) -> Void

    let trial: Trial
    let clock = VirtualClock()
    let journal = Journal()
    let source: TestSource<Int, TestFailure>
    let stream: Observable<String, TestFailure>
    let teardowns = Guarded(0)
    /// Of a hot source only.
    private let feed: OperatorUnderTest.Feed?
    private let script: [Int]
    private let end: Completion<TestFailure>?
    private let isDriven = Guarded(false)
    private let held = Guarded<Probe<String, TestFailure>?>(nil)

    init(
        _ trial: Trial, _ script: [Int], end: Completion<TestFailure>?, isStubborn: Bool = false,
        next: @escaping Next, done: @escaping Done
    ) {
        self.trial = trial
        self.script = script
        self.end = end
        source = TestSource(script, end: end, isStubborn: isStubborn, journal: journal, name: "up")
        (stream, feed) = trial.subject.make(
            over: source.observable, on: clock, tornDown: { [teardowns] in teardowns.withLock { $0 += 1 } })
        let probe = Probe<String, TestFailure>(
            clock: clock, journal: journal,
            next: { [weak self] _, element in self.map { next($0, element) } ?? true },
            done: { [weak self] _, _ in if let self { done(self) } })
        held.withLock { $0 = probe }
        probe.attach(to: stream)
    }
    deinit {
        let probe = held.withLock { $0 }
        probe?.cancel()
        probe?.drop()
        source.letGo()
        // What the clock still holds may hold the clock.
        clock.advance(by: .zero)
    }

    var subject: OperatorUnderTest { trial.subject }
    var probe: Probe<String, TestFailure> { held.withLock { $0 } ?? Probe() }

    /// Asks; the first request also drives a hot source through its script.
    func ask(_ demand: Demand) {
        probe.request(demand)
        guard let feed else { return }
        let isFirst = isDriven.withLock { isDriven in
            let isFirst = !isDriven
            isDriven = true
            return isFirst
        }
        guard isFirst else { return }
        for element in script { feed.send(element) }
        if let end { feed.end(end) }
    }
    /// Asks, and lets time pass.
    func request(_ demand: Demand) {
        ask(demand)
        settle()
    }
    func cancel() {
        probe.cancel()
        settle()
    }
    /// Cancels what is left, so that nothing outlives the scenario.
    func close() {
        probe.cancel()
        settle()
        probe.drop()
    }
    /// Sends by hand, and lets time pass.
    func send(_ elements: Int...) {
        for element in elements {
            push(element)
            settle()
        }
    }
    func push(_ element: Int) { if let feed { feed.send(element) } else { source.send(element) } }
    func finish(_ completion: Completion<TestFailure> = .finished) {
        close(completion)
        settle()
    }
    /// The same without letting time pass, for a handler.
    func close(_ completion: Completion<TestFailure>) {
        if let feed { feed.end(completion) } else { source.send(completion: completion) }
    }

    /// Lets virtual time pass until nothing waits, and the pool do what it does.
    func settle() {
        try? clock.run(limit: 2_000)
        guard subject.traits.contains(.runsOnPool) else { return }
        var quiet = 0
        var seen = probe.signalCount
        while quiet < 5 {
            Threads.pause(microseconds: 400)
            try? clock.run(limit: 2_000)
            quiet = probe.signalCount == seen && !probe.isInside ? quiet + 1 : 0
            seen = probe.signalCount
        }
    }
    /// Waits for something that must happen: at once, but for what runs on the pool.
    @discardableResult func waitFor(_ isTrue: () -> Bool) -> Bool {
        settle()
        guard subject.traits.contains(.runsOnPool) else { return isTrue() }
        return trial.wait(meanwhile: { settle() }, until: isTrue)
    }
    @discardableResult func awaitEnd() -> Bool {
        if subject.traits.contains(.isEndless) { return true }
        return waitFor { probe.isDone }
    }
}
