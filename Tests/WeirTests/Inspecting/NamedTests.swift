import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// What is reported of chains whose place has this name: others run beside this test.
private final class Recorder: TraceRecorder {
    private let stored = Guarded<[TraceNode]>([])
    func attached(_ root: TraceNode) { stored.withLock { $0.append(root) } }
    func node(_ label: String) -> TraceNode? {
        func find(_ node: TraceNode) -> TraceNode? {
            node.label == label ? node : node.upstreams.lazy.compactMap(find).first
        }
        return stored.withLock { $0 }.lazy.compactMap(find).first
    }
}

@Suite struct NamedTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.named("x") } }

    @Test func deepChainsOfNamesNeedLittleStack() {
        let stream = (0..<1_000).reduce(Observable<Int, Never>(1...3)) { up, index in up.named("\(index)") }
        #expect(Probe(stream, .unbounded).text == "1 2 3 |")
    }
}

extension TraceTests {
    @Test func aNameStandsInTheTrace() throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        let line: UInt = #line + 1
        let stream = Observable<Int, Never>(1...3).map { Double($0) }.named("temperature").filter { $0 > 1 }
        let token = stream.subscribe { _ in }
        let node = try #require(recorder.node("temperature"))
        #expect(token.isFinished && node.elements == 3 && node.upstreams.map(\.label) == [nil])
        #expect(
            "\(node)" == """
                named "temperature" Double -> Double (WeirTests/NamedTests.swift:\(line)): 3
                   map Int -> Double (WeirTests/NamedTests.swift:\(line)): 3
                      sequence Int (WeirTests/NamedTests.swift:\(line)): 3
                """)
    }
}
