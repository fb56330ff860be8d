import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct ReceiveOnTests {
    let clock = VirtualClock()

    @Test func rules() { expectRules("1 2 3 |") { $0.receive(on: .immediate) } }
    @Test func rulesOnATrampoline() { expectRules("1 2 3 |") { $0.receive(on: SerialScheduler()) } }
    @Test func rulesOnAClock() {
        expectRules("1 2 3 |", settle: { clock.advance(by: .zero) }) { $0.receive(on: clock, prefetch: 2) }
    }

    @Test func deliversOnTheScheduler() {
        let subject = PublishSubject<Int, Boom>()
        let probe = Probe(subject.receive(on: clock), .unbounded)
        subject.send(1)
        subject.send(2)
        subject.send(completion: .failed(Boom()))
        #expect(probe.text == "")
        clock.advance(by: .zero)
        #expect(probe.text == "1 2 #boom" && probe.isReleased)
    }

    @Test func upstreamRunsAtMostPrefetchAhead() {
        let upstream = TestSource<Int, Never>(Array(0..<100), .finish)
        let probe = Probe(upstream.observable.receive(on: clock, prefetch: 8), 1)
        #expect(upstream.calls == "attach, request 8")
        clock.advance(by: .zero)
        #expect(probe.text == "0" && upstream.calls == "attach, request 8")
        probe.request(5)
        clock.advance(by: .zero)
        #expect(upstream.calls == "attach, request 8, request 6")
        // What a clock still holds, it would hold for ever.
        probe.cancel()
        clock.advance(by: .zero)
    }

    @Test(arguments: [-1, 0, 1, 2, 256, 1 << 40, .max]) func anyPrefetchWillDo(prefetch: Int) {
        let probe = Probe(Observable<Int, Never>(0..<1_000).receive(on: clock, prefetch: prefetch), .unbounded)
        clock.advance(by: .zero)
        #expect(probe.elements == Array(0..<1_000) && probe.end != nil && probe.faults == ProbeFaults())
    }

    @Test(arguments: [true, false]) func anUpstreamThatHasEndedIsNeitherAskedNorCancelled(takesAll: Bool) {
        let upstream = TestSource<Int, Never>(Array(0..<8), .finish)
        let probe = Probe(upstream.observable.receive(on: clock, prefetch: 8), 7)
        clock.advance(by: .zero)
        #expect(probe.elements == Array(0..<7) && probe.end == nil && upstream.calls == "attach, request 8")
        if takesAll { probe.request(1) } else { probe.release() }
        clock.advance(by: .zero)
        #expect(probe.elements.count == (takesAll ? 8 : 7) && (probe.end != nil) == takesAll && probe.isReleased)
        #expect(upstream.calls == "attach, request 8" && upstream.cancels == 0)
    }

    @Test func cancelReachesUpstreamAtOnce() {
        let upstream = TestSource<Int, Never>([1, 2, 3], .silence)
        let probe = Probe(upstream.observable.receive(on: clock), .unbounded)
        probe.release()
        #expect(upstream.cancels == 1)
        clock.advance(by: .zero)
        #expect(probe.text == "" && probe.isReleased)
    }

    @Test func anUnusedElementCostsNoDemand() {
        let probe = Probe(
            Observable<Int, Never>(0..<1_000).receive(on: SerialScheduler(), prefetch: 4), 1, uses: { $0 == 700 })
        #expect(probe.elements.count == 701 && probe.faults == ProbeFaults())
    }

    @Test func whatIsUnderWayIsReleasedWithTheStream() {
        let alive = Counter()
        let probe = Probe(
            Observable<Int, Never>(0..<50).map { _ in
                alive.add()
                return Canary { alive.add(-1) }
            }.concat(.never()).receive(on: clock), .unbounded)
        #expect(alive.value == 50)
        probe.release()
        clock.advance(by: .zero)
        #expect(alive.value == 0)
    }

    @Test func aSubjectThatIsDroppedFreesTheSubscriberAfterWhatIsUnderWay() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let probe = subject.map { Probe($0.receive(on: clock), .unbounded) }
        subject?.send(1)
        subject = nil
        clock.advance(by: .zero)
        #expect(probe?.text == "1" && probe?.isReleased == true)
    }

    @Test func orderIsKeptOnThreadsSideBySideAndTheEndComesLast() {
        race("a sender and two workers in receive", rounds: 5) { meet in
            let workers = Workers()
            let subject = PublishSubject<Int, Never>()
            let probe = Probe(subject.receive(on: workers, prefetch: 16), .unbounded)
            let work: @Sendable () -> Void = { spin { meet { workers.runOne() } && probe.end != nil } }
            return (
                [
                    {
                        for number in 0..<5_000 { meet { subject.send(number) } }
                        subject.send(completion: .finished)
                    }, work, work,
                ], { #expect(probe.elements == Array(0..<5_000) && probe.faults == ProbeFaults()) }
            )
        }
    }

    @Test func aCancelAgainstARequestOnTwoThreads() {
        race("cancel against request in receive") { meet in
            let probe = Probe(Observable<Int, Never>(0..<2_000).receive(on: SerialScheduler(), prefetch: 16))
            return (
                [
                    { meet { probe.request(.unbounded) } },
                    {
                        spin { !probe.elements.isEmpty }
                        meet { probe.cancel() }
                    },
                ],
                { #expect(probe.elements == Array(0..<probe.elements.count)) }
            )
        }
    }
}
