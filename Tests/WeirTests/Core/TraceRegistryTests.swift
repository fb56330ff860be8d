import Foundation
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

/// The registry as it is written: which lines a form has.
private struct RegistryText {
    let lines: [String]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Contract/OperatorRegistry.swift")
        lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// From the line with the form's name up to the next form.
    func lines(of form: OperatorUnderTest) -> Range<Int> {
        let start = lines.firstIndex { $0.contains("(\"\(form)\"") } ?? 0
        let end = lines[(start + 1)...].firstIndex { $0.contains(/(Subject|\.source|\.hot)\("|Entry\(|^    \]/) }
        return start..<(end ?? lines.endIndex)
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
    private func run(_ subject: OperatorUnderTest) async -> (line: UInt, count: Int, source: UInt) {
        let clock = VirtualClock()
        let (source, origin) = (Observable<Int, TestFailure>([1, 2, 3]), #line as UInt)
        let (stream, feed) = subject.make(over: source, on: clock)
        let count = Counter()
        let ended = Guarded(false)
        let (token, line) = (
            stream.subscribe({ _ in count.add() }, done: { _ in ended.withLock { $0 = true } }), #line as UInt
        )
        feed?.run()
        clock.advance(by: .seconds(1))
        if subject.traits.contains(.runsOnPool) { await until { ended.withLock { $0 } } }
        token.cancel()
        return (line, count.value, origin)
    }

    /// How the call of a stage is written, where not by its name.
    private static let calls = [
        "async": ["Observable<"], "asyncSequence": ["Observable("], "tracking": ["Observable(tracking:"],
        "sequence": ["Observable<", ".init("],
        // These two are made of others.
        "empty": ["empty(", "prefix(0)", "repeat(0)"], "catch": ["catch {", "replaceError("],
    ]

    @Test(arguments: OperatorRegistry.entries) func everyOperatorNamesItselfItsTypesAndItsPlaceAndCounts(
        entry: OperatorRegistry.Entry
    ) async throws {
        let text = try RegistryText()
        for form in entry.forms {
            let recorder = Recorder()
            Trace.start(recorder)
            let (line, count, origin) = await run(form)
            Trace.stop()
            let nodes = Array(recorder.nodes(of: line).dropFirst())
            var said: [String] = []
            for stage in nodes.map(\.stage) {
                let words = "\(stage.name) \(stage.input.map { "\($0) -> " } ?? "")\(stage.output)"
                if "\(stage.file)" == #fileID {
                    #expect(stage.line == origin && stage.name.description == "sequence", "\(form): \(stage)")
                    continue
                }
                if !said.contains(words) { said.append(words) }
                #expect("\(stage.file)" == "WeirTests/OperatorRegistry.swift", "\(form): \(stage)")
                let place = Int(stage.line) - 1
                let written = text.lines.indices.contains(place) ? text.lines[place] : "no such line"
                let calls = Self.calls["\(stage.name)"] ?? ["(", " {", "<"].map { "\(stage.name)\($0)" }
                #expect(calls.contains { written.contains($0) }, "\(form): \(stage) is written as \(written)")
                #expect(
                    text.lines(of: form).contains(place) || "\(stage.name)" == "tracking",
                    "\(form): \(stage) is not in \(text.lines(of: form))")
            }
            let expected = Self.expected["\(form)"] ?? ["\(stageName(entry.file)) Int -> Int"]
            #expect(said == expected, "\"\(form)\": \(said),")
            // A form of several stages may have others below the one of its name.
            #expect(nodes.first?.elements == count, "\(form): \(nodes.map { "\($0.stage.name) \($0.elements)" })")
        }
    }

    @Test func whatIsExpectedIsOfFormsThatExist() {
        let forms = Set(OperatorRegistry.entries.flatMap(\.forms).map(\.description))
        #expect(Set(Self.expected.keys).subtracting(forms) == [])
    }

    @Test func noOperatorReportsAnythingWhenOff() async {
        let recorder = Recorder()
        Trace.start(recorder)
        Trace.stop()
        var count = 0
        for form in OperatorRegistry.entries.flatMap(\.forms) {
            let (line, elements, _) = await run(form)
            count += elements
            #expect(recorder.nodes(of: line).isEmpty)
        }
        #expect(count > 50)
    }

    /// The stages of each form from its last one up, with their types, each once; the source over which it runs left out.
    /// Without a line here a form is one stage, named as its file, from numbers to numbers.
    private static let expected: [String: [String]] = [
        "create": ["create Int"],
        "create at once": ["create Int"],
        "empty": ["empty Int"],
        "fail": ["fail Int"],
        "async": ["async Int"],
        "async that throws": ["async Int"],
        "asyncSequence": ["asyncSequence Int"],
        "tracking": ["flatMap Observable<Int, Never> -> Int", "async Observable<Int, Never>", "tracking Int"],
        "interval": ["interval Int"],
        "interval that ends": ["prefix Int -> Int", "interval Int"],
        "timer": ["timer Int"],
        "just": ["just Int"],
        "never": ["never Int"],
        "sequence": ["sequence Int"],
        "prefix of an endless sequence": ["prefix Int -> Int", "sequence Int"],
        "sequence of none": ["sequence Int"],
        "prefix(0)": ["empty Int"],
        "tryMap": ["tryMap Int -> Int"],
        "removeDuplicates": ["removeDuplicates Int -> Int", "map Int -> Int"],
        "flatMap": ["flatMap Int -> Int", "sequence Int"],
        "flatMap of just": ["flatMap Int -> Int", "just Int"],
        "flatMap one at a time": ["flatMap Int -> Int", "sequence Int"],
        "flatMap that throws": ["flatMap Int -> Int", "just Int"],
        "flatMap, inner is up": ["flatMap Int -> Int", "just Int"],
        "flatMap one at a time, inner is up": ["flatMap Int -> Int", "just Int"],
        "flatMapLatest": ["flatMapLatest Int -> Int", "sequence Int"],
        "flatMapLatest that throws": ["flatMapLatest Int -> Int", "just Int"],
        "flatMapLatest, inner is up": ["flatMapLatest Int -> Int", "just Int"],
        "branches": ["branches Int -> (Int, Int)", "map Int -> Int"],
        "branches with gaps": ["branches Int -> (Int, Int)", "scan Int -> Int", "filter Int -> Int"],
        "combineLatest": ["combineLatest (Int, Int)"],
        "combineLatest of a list": ["combineLatest Int -> Array<Int>"],
        "concat": ["concat Int -> Int", "map Int -> Int"],
        "concat, second is up": ["concat Int -> Int", "empty Int"],
        "zip": ["zip (Int, String)", "map Int -> String"],
        "zip of a list": ["zip Int -> Array<Int>", "dropFirst Int -> Int"],
        "repeat, cut": ["prefix Int -> Int", "repeat Int -> Int"],
        "repeat(0)": ["empty Int"],
        "retry twice, cut": ["prefix Int -> Int", "retry Int -> Int"],
        "retry after a wait, cut": ["prefix Int -> Int", "retry Int -> Int"],
        "catch, second is up": ["catch Int -> Int", "fail Int"],
        "replaceError": ["catch Int -> Int"],
        "PublishSubject": ["PublishSubject Int"],
        "Observed": ["map Int -> Int", "Observed Int"],
        "BehaviorSubject": ["BehaviorSubject Int"],
    ]
}

extension OperatorRegistry.Entry: CustomTestStringConvertible {
    var testDescription: String { file }
}
