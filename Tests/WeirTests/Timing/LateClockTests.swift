import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// On a machine that has much to do every wake comes late, each by another time. Deadlines do not move with it.
@Suite(.ownThread) struct LateClockTests {
    let clock = VirtualClock()
    let subject = PublishSubject<Int, Boom>()

    private func late(_ frames: ClosedRange<Int>) -> LateScheduler {
        LateScheduler(clock: clock, lateness: Lateness(frames))
    }
    /// Listens, and notes what came at which frame.
    private func listen(_ stream: Observable<Int, Boom>) -> (
        probe: Probe<Int, Boom>, times: Guarded<[(at: Int, element: Int)]>
    ) {
        let times = Guarded<[(at: Int, element: Int)]>([])
        let probe = Probe(
            stream, .unbounded,
            onNext: { [clock] _, element in times.withLock { $0.append((clock.now.frame, element)) } })
        return (probe, times)
    }
    /// Sends 0, 1, 2 … at these frames, then lets time pass.
    private func send(at frames: [Int]) {
        for (number, frame) in frames.enumerated() { clock.schedule(at: .frame(frame)) { subject.send(number) } }
        clock.advance(by: .frames((frames.last ?? 0) + 1_000))
    }
    private static let bursts = (0..<300).map { $0 * 7 + $0 / 5 * 30 }

    @Test(arguments: [nil, 0, 4]) func ticksStayAtMultiplesOfThePeriod(first: Int?) {
        let late = late(0...9)
        let (probe, times) = listen(
            Observable.interval(.frames(10), after: first.map { .frames($0) }, on: late).prefix(1_000)
                .setFailureType(to: Boom.self))
        clock.advance(by: .seconds(20))
        let due = (0..<1_000).map { (first ?? 10) + $0 * 10 }
        #expect(late.lateness.deadlines == due && probe.elements == Array(0..<1_000) && probe.end == .finished)
        let lags = zip(times.withLock { $0 }, due).map { $0.at - $1 }
        #expect(lags.allSatisfy { (0...9).contains($0) } && Set(lags).count > 5)
    }

    @Test func ticksThatAreMissedAreCountedAndTheNextDeadlineIsStillAMultiple() {
        let late = late(0...35)
        let skipped = DropCounter()
        let (probe, times) = listen(
            Observable.interval(.frames(10), on: late, skipped: skipped).setFailureType(to: Boom.self))
        clock.advance(by: .frames(10_000))
        #expect(late.lateness.deadlines.allSatisfy { $0.isMultiple(of: 10) })
        #expect(times.withLock { $0.allSatisfy { $0.element == $0.at / 10 - 1 } })
        #expect(probe.elements.count > 200 && probe.elements.count + skipped.count == (probe.elements.last ?? 0) + 1)
        probe.release()
    }

    @Test func delayIsMeasuredFromEachElement() {
        let late = late(0...40)
        let (probe, times) = listen(subject.delay(for: .frames(25), on: late))
        send(at: Self.bursts)
        #expect(probe.elements == Array(0..<300) && probe.faults == ProbeFaults())
        let due = Set(Self.bursts.map { $0 + 25 })
        #expect(late.lateness.deadlines.allSatisfy(due.contains))
        let lags = times.withLock { $0 }.map { $0.at - Self.bursts[$0.element] - 25 }
        #expect(lags.allSatisfy { (0...40).contains($0) }, "lateness has added up")
        probe.release()
    }

    @Test func debounceIsMeasuredFromTheLatestElement() {
        let late = late(0...6)
        let (probe, times) = listen(subject.debounce(for: .frames(10), on: late))
        send(at: Self.bursts)
        #expect(late.lateness.deadlines == Self.bursts.map { $0 + 10 })
        // Each fifth is followed by a pause.
        #expect(probe.elements == (0..<60).map { $0 * 5 + 4 } && probe.faults == ProbeFaults())
        #expect(times.withLock { $0.allSatisfy { (10...16).contains($0.at - Self.bursts[$0.element]) } })
        probe.release()
    }

    @Test func throttleIsMeasuredFromWhatWentOut() {
        let late = late(0...6)
        let (probe, times) = listen(subject.throttle(for: .frames(10), on: late))
        send(at: Self.bursts)
        let came = times.withLock { $0 }
        #expect(late.lateness.deadlines == came.map { $0.at + 10 })
        #expect(zip(came, came.dropFirst()).allSatisfy { $1.at - $0.at >= 10 }, "two came too close")
        #expect(
            probe.elements.last == 299 && probe.elements == probe.elements.sorted() && probe.faults == ProbeFaults())
        // At the interval's end, and as late as its wake: an element in hand waits no longer.
        #expect(came.allSatisfy { $0.at - Self.bursts[$0.element] <= 16 })
        probe.release()
    }

    @Test func retryWaitsFromTheFailure() {
        let late = late(0...9)
        let failures = Guarded<[Int]>([])
        let failing = Observable<Int, Boom> { [clock] down in
            TestSource([], .fail(Boom())).observable.attach(
                Observer(
                    next: down.next,
                    done: { completion in
                        failures.withLock { $0.append(clock.now.frame) }
                        down.done(completion)
                    }))
        }
        let probe = Probe(failing.retry(50, backoff: .constant(.frames(20)), on: late), .unbounded)
        clock.advance(by: .seconds(5))
        #expect(late.lateness.deadlines == failures.withLock { $0.dropLast().map { $0 + 20 } })
        #expect(late.lateness.deadlines.count == 50 && probe.text == "#boom")
    }

    @Test(arguments: [(0, 1_000), (400, 1_000), (999, 1_000), (1_000, 1_000), (10_000, 10_000)])
    func retryWaitsFromTheFailureAlsoWithoutDemand(asked: Int, came: Int) {
        let times = Guarded<[Int]>([])
        let probe = Probe(
            TestSource([1], .fail(Boom())).observable.retry(backoff: .constant(.frames(1_000)), on: clock), 1,
            onNext: { [clock] _, _ in times.withLock { $0.append(clock.now.frame) } })
        clock.advance(by: .frames(asked))
        #expect(probe.text == "1")
        probe.request(1)
        clock.advance(by: .frames(20_000))
        #expect(times.withLock { $0 } == [0, came] && probe.text == "1 1")
        probe.release()
        #expect(clock.scheduledCount == 0 && probe.isReleased)
    }
}
