import Testing
import Weir
import WeirTesting

/// A call, what its stage says, and the line in which both are written.
private struct Call: Sendable {
    let said: String
    let line: UInt
    let attach: @Sendable () -> Void

    init<Output: Sendable, Failure: Error>(
        _ said: String, line: UInt = #line, _ make: @escaping @Sendable () -> Observable<Output, Failure>
    ) {
        self.said = said
        self.line = line
        attach = { make().subscribe({ _ in }, done: { _ in }).cancel() }
    }
}

/// Notes the stage above each subscriber.
private final class Recorder: TraceRecorder {
    let stages = Guarded<[Stage]>([])
    func attached(_ root: TraceNode) {
        guard let stage = root.upstreams.first?.stage else { return }
        stages.withLock { $0.append(stage) }
    }
}

private struct Digits: ElementDecoder {
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from input: String) throws -> Value {
        throw TestFailure()
    }
}

private let ints = Observable<Int, TestFailure>([1])
private let calm = Observable<Int, Never>([1])
private let words = Observable<String, TestFailure>(["a"])
private let calmWords = Observable<String, Never>(["a"])
private let clock = VirtualClock()

/// Every overload of every operator, with types that differ where they can.
private let calls: [Call] = [
    Call("map Int -> String") { ints.map { "\($0)" } },
    Call("tryMap Int -> String") { ints.tryMap { "\($0)" } },
    Call("compactMap Int -> String") { ints.compactMap { "\($0)" } },
    Call("scan Int -> Array<Int>") { ints.scan([Int]()) { $0 + [$1] } },
    Call("decode String -> Int") { words.decode(Int.self, using: Digits()) },
    Call("filter String -> String") { words.filter { !$0.isEmpty } },
    Call("prefix String -> String") { words.prefix(1) },
    Call("prefix String -> String") { words.prefix { !$0.isEmpty } },
    Call("dropFirst String -> String") { words.dropFirst() },
    Call("removeDuplicates String -> String") { words.removeDuplicates() },
    Call("removeDuplicates String -> String") { words.removeDuplicates { $0.count == $1.count } },
    Call("flatMap Int -> String") { ints.flatMap { _ in words } },
    Call("flatMap Int -> String") { ints.flatMap { _ in calmWords } },
    Call("flatMap Int -> String") { calm.flatMap { _ in words } },
    Call("flatMap Int -> String") { calm.flatMap { _ in calmWords } },
    Call("flatMapLatest Int -> String") { ints.flatMapLatest { _ in words } },
    Call("flatMapLatest Int -> String") { ints.flatMapLatest { _ in calmWords } },
    Call("flatMapLatest Int -> String") { calm.flatMapLatest { _ in words } },
    Call("flatMapLatest Int -> String") { calm.flatMapLatest { _ in calmWords } },
    Call("branches Int -> (Int, Int)") { ints.branches({ $0 }, { $0 }) },
    Call("combineLatest (Int, String)") { combineLatest(ints, words) },
    Call("combineLatest (Int, String, Int)") { combineLatest(ints, words, ints) },
    Call("combineLatest Int -> Array<Int>") { combineLatest([ints, ints]) },
    Call("combineLatest (Int, String)") { ints.combineLatest(with: words) },
    Call("combineLatest (Int, String)") { ints.combineLatest(with: calmWords) },
    Call("combineLatest (Int, String)") { calm.combineLatest(with: words) },
    Call("combineLatest (Int, String)") { calm.combineLatest(with: calmWords) },
    Call("zip (Int, String)") { zip(ints, words) },
    Call("zip Int -> Array<Int>") { zip([ints, ints]) },
    Call("zip (Int, String)") { ints.zip(with: words) },
    Call("zip (Int, String)") { ints.zip(with: calmWords) },
    Call("zip (Int, String)") { calm.zip(with: words) },
    Call("zip (Int, String)") { calm.zip(with: calmWords) },
    Call("merge Int -> Int") { Observable.merge([ints, ints]) },
    Call("merge Int -> Int") { ints.merge(with: ints, ints) },
    Call("merge Int -> Int") { ints.merge(with: calm) },
    Call("merge Int -> Int") { calm.merge(with: ints) },
    Call("concat Int -> Int") { Observable.concat([ints, ints]) },
    Call("concat Int -> Int") { ints.concat(ints, ints) },
    Call("concat Int -> Int") { ints.concat(calm) },
    Call("concat Int -> Int") { calm.concat(ints) },
    Call("debounce String -> String") { words.debounce(for: .frames(1), on: clock) },
    Call("throttle String -> String") { words.throttle(for: .frames(1), on: clock) },
    Call("delay String -> String") { words.delay(for: .frames(1), on: clock) },
    Call("receive String -> String") { words.receive(on: clock) },
    Call("catch String -> String") { words.catch { _ in calmWords } },
    Call("mapError String -> String") { words.mapError { $0 as any Error } },
    Call("repeat String -> String") { words.repeat(2) },
    Call("retry String -> String") { words.retry(2) },
    Call("setFailureType String -> String") { calmWords.setFailureType(to: TestFailure.self) },
    Call("buffer String -> String") { words.buffer(.unbounded) },
    Call("share String -> String") { words.share() },
    Call("named String -> String") { words.named("words") },
    Call("debug String -> String") { words.debug("words") { _ in } },
    Call("create Int") { Observable<Int, TestFailure>.create { $0.finish() } },
    Call("empty Int") { Observable<Int, TestFailure>.empty() },
    Call("fail Int") { Observable<Int, TestFailure>.fail(TestFailure()) },
    Call("just Int") { Observable<Int, TestFailure>.just(1) },
    Call("just Int") { Observable<Int, Never>.just(1) },
    Call("never Int") { Observable<Int, TestFailure>.never() },
    Call("sequence Int") { Observable<Int, TestFailure>(Set([1])) },
    Call("sequence Int") { Observable<Int, Never>([1]) },
    Call("async Int") { Observable<Int, TestFailure> { () async throws(TestFailure) in 1 } },
    Call("async Int") { Observable<Int, TestFailure> { () throws(TestFailure) in 1 } },
    Call("asyncSequence Int") { Observable<Int, TestFailure>(ints.values) },
    Call("interval Int") { Observable.interval(.frames(1), on: clock) },
    Call("timer Int") { Observable.timer(.frames(1), on: clock) },
    Call("PublishSubject Int") { PublishSubject<Int, TestFailure>().observable },
    Call("BehaviorSubject Int") { BehaviorSubject<Int, TestFailure>(1).observable },
    Call("Observed Int") { Observed(wrappedValue: 1).projectedValue.observable },
]

extension TraceTests {
    @Test func everyOverloadSaysItsTypesAndTheLineOfItsCall() {
        for call in calls {
            let recorder = Recorder()
            Trace.start(recorder)
            call.attach()
            Trace.stop()
            // By its line, too: what an earlier call started in a task may attach only now.
            let own = recorder.stages.withLock { $0 }.filter { "\($0.file)" == #fileID && $0.line == call.line }
            #expect(own.map(\.description) == ["\(call.said) (\(#fileID):\(call.line))"])
        }
        #expect(Set(calls.map(\.line)).count == calls.count)
    }
}
