import Testing
import Weir
import WeirTesting

private final class Recorder: TraceRecorder {
    private let stored = Guarded<[TraceNode]>([])
    func attached(_ root: TraceNode) { stored.withLock { $0.append(root) } }
    /// Of chains that were written in this file: others run beside this test.
    /// A property that consumes has no place of its own.
    var roots: [TraceNode] {
        stored.withLock { $0 }.filter { root in
            ([root] + root.upstreams).contains { "\($0.stage.file)".hasSuffix("TraceTests.swift") }
        }
    }
}

/// A stage and those above it, as in `map(sequence)`.
private func shape(_ node: TraceNode) -> String {
    let above = node.upstreams.map(shape).joined(separator: ", ")
    return "\(node.stage.name):\(node.elements)" + (above.isEmpty ? "" : "(\(above))")
}

@Suite(.serialized) struct TraceTests {
    @Test func namesPlacesAndCounts() throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        let line: UInt = #line + 1
        let token = Observable<Int, Never>(1...10).map { $0 * 2 }.filter { $0 > 10 }.subscribe { _ in }
        let root = try #require(recorder.roots.first)
        #expect(recorder.roots.count == 1 && token.isFinished)
        #expect(shape(root) == "subscribe:0(filter:5(map:10(sequence:10)))")
        let map = try #require(root.upstreams.first?.upstreams.first)
        #expect("\(map.stage)" == "map Int -> Int (WeirTests/TraceTests.swift:\(line))")
        #expect(
            "\(map)" == """
                map Int -> Int (WeirTests/TraceTests.swift:\(line)): 10
                   sequence Int (WeirTests/TraceTests.swift:\(line)): 10
                """)
    }

    @Test func joiningOperatorsShowWhatTheyAttachLater() throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        let subject = PublishSubject<Int, Never>()
        let letters = Observable<String, Never>(["a", "b"])
        let token = zip(subject.observable, letters).flatMap { Observable<Int, Never>.just($0.0) }
            .receive(on: .immediate).share().subscribe { _ in }
        subject.send(1)
        subject.send(2)
        let root = try #require(recorder.roots.first)
        let expected =
            "subscribe:0(share:2(receive:2(flatMap:2(zip:2(PublishSubject:2, sequence:2), just:1, just:1))))"
        #expect(shape(root) == expected)
        token.cancel()
    }

    @Test func nothingWhenOff() {
        let recorder = Recorder()
        Trace.start(recorder)
        Trace.stop()
        let token = Observable<Int, Never>([1]).map { $0 }.subscribe { _ in }
        #expect(recorder.roots.isEmpty && token.isFinished)
    }

    @Test func aChainThatIsAttachedCountsOnAfterStop() throws {
        let recorder = Recorder()
        Trace.start(recorder)
        let subject = PublishSubject<Int, Never>()
        let token = subject.subscribe { _ in }
        Trace.stop()
        subject.send(1)
        #expect(try shape(#require(recorder.roots.first)) == "subscribe:0(PublishSubject:1)")
        token.cancel()
    }

    @Test func everyWayToConsumeIsARoot() async throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        for await _ in Observable<Int, Never>([1, 2]).values(prefetch: 8) {}
        let owner = Canary()
        Observable<Int, Never>([1]).subscribe(owner) { _, _ in }
        #expect(recorder.roots.map(shape) == ["values:0(sequence:2)", "subscribe:0(sequence:1)"])
    }

    @Test func aPropertySaysNoPlaceRatherThanOneInTheLibrary() async throws {
        let recorder = Recorder()
        Trace.start(recorder)
        defer { Trace.stop() }
        let stream = Observable<Int, Never>.just(1)
        for await _ in stream.values {}
        _ = (try await stream.value, await stream.first)
        let line: UInt = #line + 1
        _ = await stream.collect()
        #expect(
            recorder.roots.map { "\($0.stage)" } == [
                "values Int -> Int", "value Int -> Int", "first Int -> Int",
                "collect Int -> Int (WeirTests/TraceTests.swift:\(line))",
            ])
    }
}
