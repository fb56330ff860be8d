import Testing
import Weir
import WeirTestSupport
import WeirTesting

private final class Recorder: TraceRecorder {
    private let stored = Guarded<[String]>([])
    let roots = Guarded<[TraceNode]>([])
    func attached(_ root: TraceNode) { note("attached", root) }
    func started(_ root: TraceNode) { note("started", root) }
    func cancelled(_ root: TraceNode) { note("cancelled", root) }
    /// Others run beside this test.
    private func note(_ what: String, _ root: TraceNode) {
        guard "\(root.stage.file)".hasSuffix("StageTests.swift") else { return }
        stored.withLock { $0.append("\(what) \(root.upstreams.map(Self.shape).joined()) \(root.fate)") }
        roots.withLock { $0.append(root) }
    }
    static func shape(_ node: TraceNode) -> String {
        let above = node.upstreams.map(shape).joined(separator: ", ")
        return "\(node.stage.name)" + (above.isEmpty ? "" : "(\(above))")
    }
    var text: String { stored.withLock { $0 }.joined(separator: "; ") }
}

@Suite struct StageTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.stage("own", from: Int.self, to: Int.self) } }

    @Test func deepChainsOfStagesNeedLittleStack() {
        let stream = (0..<1_000).reduce(Observable<Int, Never>(1...3)) { up, _ in up.stage("own", merging: Int.self) }
        #expect(Probe(stream, .unbounded).text == "1 2 3 |")
    }
}

extension TraceTests {
    @Test func anOperatorOfOnesOwnNamesItselfAndItsTypes() throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        let up = Observable<Int, Never>(1...3)
        let halves = Observable<Double, Never> { down in
            up.attach(Observer(next: { down.next(Double($0) / 2) }, done: down.done))
        }.stage("half", from: Int.self, to: Double.self)
        let token = halves.subscribe { _ in }
        #expect(recorder.text == "attached half(sequence) running; started half(sequence) finished")
        let node = try #require(recorder.roots.withLock { $0 }.first?.upstreams.first)
        #expect("\(node.stage)".hasPrefix("half Int -> Double (WeirTests/StageTests.swift:"))
        #expect(token.isFinished && node.elements == 3 && node.fate == .finished)
    }

    @Test func whatBecomesOfAChainIsTold() {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let cancelled = subject?.merge(with: .never()).subscribe { _ in }
        cancelled?.cancel()
        let lost = subject?.subscribe { _ in }
        subject = nil
        #expect(
            recorder.text == """
                attached merge running; started merge(PublishSubject, never) running; \
                cancelled merge(PublishSubject, never) cancelled; attached PublishSubject running; \
                started PublishSubject running
                """)
        #expect(recorder.roots.withLock { $0 }.last?.fate == .released && lost?.isFinished == true)
    }
}
