import Testing
import WeirTesting

/// Operators through one scheduler, by its name: each kind of scheduler is a type of its own.
package struct Hops: Sendable, CustomTestStringConvertible {
    package typealias Stream = Observable<Int, TestFailure>
    package typealias Stage = @Sendable (Stream) -> Stream

    package let testDescription: String
    package let receive: Stage
    package let delay: Stage
    package let debounce: Stage
    package let throttle: Stage
    package let retry: Stage
    package let ticks: @Sendable (Int) -> Observable<Int, Never>
    package let settle: @Sendable () -> Void

    /// - Parameter settle: lets work run, where a clock or a queue has to be moved by hand.
    package init<S: Scheduler>(_ scheduler: S, _ name: String? = nil, settle: @escaping @Sendable () -> Void = {}) {
        testDescription = name ?? "\(S.self)"
        receive = { $0.receive(on: scheduler, prefetch: 7) }
        delay = { $0.delay(for: .microseconds(500), on: scheduler) }
        debounce = { $0.debounce(for: .microseconds(500), on: scheduler) }
        throttle = { $0.throttle(for: .microseconds(20), on: scheduler) }
        retry = { $0.retry(2, backoff: .constant(.microseconds(100)), on: scheduler) }
        ticks = { Observable.interval(.microseconds(100), on: scheduler).prefix($0) }
        self.settle = settle
    }

    /// Asks for all of a stream and awaits its end.
    package func all(_ stream: Stream, sending: (() async -> Void)? = nil) async -> Probe<Int, TestFailure> {
        let listener = Probe(stream, .unbounded)
        await sending?()
        await until {
            settle()
            return listener.isDone
        }
        return listener
    }

    /// Elements of a source that answers at once come in their order through each operator, and the end comes last.
    package func expectOrderOfAColdSource() async {
        let numbers = Array(0..<2_000)
        for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
            let source = TestSource(numbers, end: end).observable
            let received = await all(receive(source))
            #expect(received.elements == numbers && received.end == end && received.faults == ProbeFaults())
            let quiet = await all(debounce(source))
            #expect(quiet.elements.last == (end.failure == nil ? 1_999 : nil))
            #expect(quiet.end == end && quiet.faults == ProbeFaults())
        }
        let source = TestSource(numbers, end: Completion<TestFailure>.finished).observable
        let hops: [(String, Stage)] = [
            ("delay", delay), ("hop, delay, hop", { receive(delay(receive($0))) }),
            ("hop, hop", { receive(receive($0)) }), ("hop, retry", { retry(receive($0)) }),
        ]
        for (name, stage) in hops {
            let probe = await all(stage(source))
            #expect(probe.elements == numbers && probe.end == .finished && probe.faults == ProbeFaults(), "\(name)")
        }
        let throttled = await all(throttle(receive(source)))
        #expect(throttled.elements == throttled.elements.sorted() && throttled.elements.first == 0)
        #expect(throttled.elements.last == 1_999 && throttled.end == .finished && throttled.faults == ProbeFaults())
        let ticking = await all(ticks(20).setFailureType(to: TestFailure.self))
        #expect(Set(ticking.elements).sorted() == ticking.elements && ticking.elements.count == 20)
        #expect(ticking.end == .finished && ticking.faults == ProbeFaults())
    }

    /// Two threads send: the elements of each keep their order through each operator, none is lost, and the end comes last.
    package func expectOrderOfTwoThreads() async {
        let stages: [(String, Stage)] = [
            ("receive", receive), ("delay", delay), ("hop, delay, hop", { receive(delay(receive($0))) }),
        ]
        for (name, stage) in stages {
            let subject = PublishSubject<Int, TestFailure>()
            let probe = await all(stage(subject.observable)) {
                await onThreads(2) { thread in
                    for number in 0..<1_000 { subject.send(thread * 1_000 + number) }
                }
                subject.send(completion: .finished)
            }
            let lanes = [probe.elements.filter { $0 < 1_000 }, probe.elements.filter { $0 >= 1_000 }]
            #expect(lanes == [Array(0..<1_000), Array(1_000..<2_000)], "\(name)")
            #expect(probe.end == .finished && probe.faults == ProbeFaults(), "\(name)")
        }
    }

    /// A retry that waits starts anew on the scheduler, what was said before it stands before it, and the failure last.
    package func expectOrderOfARetry() async {
        let rounds = Tally()
        let source = Observable<Int, TestFailure> { down in
            TestSource([], end: .failed(TestFailure("\(rounds.add())"))).observable.attach(down)
        }
        let probe = await all(retry(receive(source)))
        #expect(probe.elements == [] && probe.end == .failed(TestFailure("3")) && probe.faults == ProbeFaults())
    }

    /// An empty stream ends; a silent one is cancelled upstream and lets its handlers go.
    package func expectAnEmptyAndACancelledStream() async {
        let empty = await all(receive(delay(.empty())))
        #expect(empty.text == "|")
        let upstream = TestSource<Int, TestFailure>([1], .silence)
        let silent = Probe(delay(receive(upstream.observable)), .unbounded)
        silent.cancel()
        await until {
            settle()
            return silent.isReleased
        }
        #expect(upstream.cancels == upstream.attaches && silent.faults == ProbeFaults())
    }
}
