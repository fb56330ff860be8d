import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Chains that were written in the registry, with all stages above them.
private final class Recorder: TraceRecorder {
    private let stored = Guarded<[TraceNode]>([])
    func attached(_ root: TraceNode) { stored.withLock { $0.append(root) } }
    func nodes(of line: UInt) -> [TraceNode] {
        func all(_ node: TraceNode) -> [TraceNode] { [node] + node.upstreams.flatMap(all) }
        return stored.withLock { $0 }.filter { "\($0.stage.file)" == #fileID && $0.stage.line == line }.flatMap(all)
    }
}

/// The name in the trace of the operator in a file of Sources/Weir.
private func stageName(_ file: String) -> String {
    let name = String(file.split(separator: "/")[1])
    let others = [
        "FromAsync": "async", "FromAsyncSequence": "asyncSequence", "FromTracking": "tracking", "ReceiveOn": "receive",
        "PrefixWhile": "prefix",
    ]
    let isType = file.hasPrefix("Subjects/")
    return others[name] ?? (isType ? name : name.prefix(1).lowercased() + name.dropFirst())
}

extension TraceTests {
    /// Runs a form of the registry with a subscriber in the line that it answers.
    private func run(_ subject: OperatorUnderTest) async -> (line: UInt, count: Int) {
        let clock = VirtualClock()
        let (stream, feed) = subject.make(over: Observable<Int, TestFailure>([1, 2, 3]), on: clock)
        let count = Counter()
        let ended = Guarded(false)
        let (token, line) = (
            stream.subscribe({ _ in count.add() }, done: { _ in ended.withLock { $0 = true } }), #line as UInt
        )
        feed?.run()
        clock.advance(by: .seconds(1))
        if subject.traits.contains(.runsOnPool) { await until { ended.withLock { $0 } } }
        token.cancel()
        return (line, count.value)
    }

    @Test(arguments: OperatorRegistry.entries) func everyOperatorNamesItselfItsTypesAndItsPlaceAndCounts(
        entry: OperatorRegistry.Entry
    ) async throws {
        for form in entry.forms {
            let recorder = Recorder()
            Trace.start(recorder)
            let (line, count) = await run(form)
            Trace.stop()
            let nodes = recorder.nodes(of: line)
            let name = stageName(entry.file)
            // Some are made of another operator, and a file may hold two.
            let others = ["replaceError": "catch", "prefix": "empty", "repeat": "empty", "interval": "timer"]
            let names = [name, others[name]]
            let own = nodes.filter { names.contains("\($0.stage.name)") }
            let node = try #require(own.first, "\(form): no stage \(name) in \(nodes.map(\.stage))")
            #expect(own.allSatisfy { "\($0.stage.file)" == "WeirTests/OperatorRegistry.swift" }, "\(form): \(own)")
            #expect(node.stage.line > 20 && "\(node.stage.output)" != "", "\(form): \(node.stage)")
            // A form of several stages may have others below the one of its name.
            #expect(
                nodes.dropFirst().first?.elements == count,
                "\(form): \(nodes.map { "\($0.stage.name) \($0.elements)" })")
        }
    }

    @Test func noOperatorReportsAnythingWhenOff() async {
        let recorder = Recorder()
        Trace.start(recorder)
        Trace.stop()
        var count = 0
        for form in OperatorRegistry.entries.flatMap(\.forms) {
            let (line, elements) = await run(form)
            count += elements
            #expect(recorder.nodes(of: line).isEmpty)
        }
        #expect(count > 50)
    }
}

extension OperatorRegistry.Entry: CustomTestStringConvertible {
    var testDescription: String { file }
}
