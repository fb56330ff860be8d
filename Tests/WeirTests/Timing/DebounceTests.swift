import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct DebounceTests {
    let clock = VirtualClock()
    let subject = PublishSubject<String, Boom>()

    @Test func rules() {
        expectRules("3 |", drawsAll: true, settle: { clock.advance(by: .seconds(1)) }) {
            $0.debounce(for: .frames(2), on: clock)
        }
    }

    private func run(_ diagram: String, flush: Bool = true) -> String {
        timed(diagram, on: clock) { $0.debounce(for: .frames(2), on: clock, flushAtCompletion: flush) }
    }

    @Test(arguments: [
        ("a---b---", "a@2, b@6"), ("abcd----", "d@5"), ("a-b-c---", "a@2, b@4, c@6"), ("ab|", "b@2, |@2"),
        ("a--|", "a@2, |@3"), ("ab#", "#@2"), ("|", "|@0"), ("------", ""),
    ])
    func emitsAfterAQuietPeriod(diagram: String, came: String) {
        #expect(run(diagram) == came)
    }

    @Test func theEndMayDropWhatIsInHand() { #expect(run("a--b|", flush: false) == "a@2, |@4") }

    @Test func whereNoTimePassesASequenceThatSendsAllInOneGoIsItsLastElement() {
        let all = Probe(Observable<Int, Never>(1...5).debounce(for: .seconds(1), on: .immediate), .unbounded)
        #expect(all.text == "5 |")
        let each = Probe(subject.debounce(for: .seconds(1), on: .immediate), .unbounded)
        for letter in ["a", "b"] { subject.send(letter) }
        #expect(each.text == "a b")
    }

    @Test func whatNobodyAskedForWaits() {
        let probe = Probe(subject.debounce(for: .frames(2), on: clock), 1)
        for letter in ["a", "b", "c"] {
            subject.send(letter)
            clock.advance(by: .frames(3))
        }
        subject.send(completion: .finished)
        #expect(probe.text == "a")
        probe.request(1)
        #expect(probe.text == "a b")
        probe.request(1)
        #expect(probe.text == "a b c |")
    }

    @Test func cancelWithdrawsTheTimer() {
        let probe = Probe(subject.debounce(for: .frames(2), on: clock), .unbounded)
        subject.send("a")
        #expect(clock.scheduledCount == 1)
        probe.release()
        #expect(clock.scheduledCount == 0 && probe.isReleased)
        clock.advance(by: .seconds(1))
        #expect(probe.text == "")
    }

    @Test func cancelInsideTheHandler() {
        let probe = Probe(
            subject.debounce(for: .frames(2), on: clock), .unbounded, onNext: { probe, _ in probe.cancel() })
        subject.send("a")
        clock.advance(by: .frames(2))
        subject.send("b")
        clock.advance(by: .frames(2))
        #expect(probe.text == "a" && clock.scheduledCount == 0)
    }

    @Test func aSendFromTheHandlerStartsANewPeriod() {
        let probe = Probe(
            subject.debounce(for: .frames(2), on: clock), .unbounded,
            onNext: { _, letter in if letter.count < 3 { subject.send(letter + "a") } })
        subject.send("a")
        clock.advance(by: .frames(6))
        #expect(probe.text == "a aa aaa")
    }

    @Test func onlyOneTimerIsSetForMany() {
        let probe = Probe(
            Observable<Int, Never>(0..<100_000).concat(.never()).debounce(for: .frames(2), on: clock), .unbounded)
        #expect(clock.scheduledCount == 1)
        clock.advance(by: .frames(2))
        #expect(probe.text == "99999")
    }

    @Test func aSubjectThatIsDroppedFreesTheSubscriberAfterWhatIsInHand() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let probe = subject.map { Probe($0.debounce(for: .frames(2), on: clock), .unbounded) }
        subject?.send(1)
        subject = nil
        clock.advance(by: .frames(2))
        #expect(probe?.text == "1" && probe?.isReleased == true)
    }

    @Test func onTheImmediateSchedulerNothingIsWaitedFor() {
        #expect(
            Probe(Observable<Int, Never>([1, 2]).debounce(for: .seconds(9), on: .immediate), .unbounded).end != nil)
    }

    @Test func aFailureComesAfterWhatWaitsForDemand() {
        expectAFailureBehindWhatWaits(on: clock) { $0.debounce(for: .frames(2), on: clock) }
    }

    @Test(arguments: [Duration(attoseconds: .max), .seconds(Int64.max), Duration(attoseconds: .min)])
    func noPeriodStopsTheProgram(period: Duration) {
        let probes = [
            Probe(subject.debounce(for: period, on: clock), .unbounded),
            Probe(subject.throttle(for: period, on: clock), .unbounded),
            Probe(subject.delay(for: period, on: clock), .unbounded),
        ]
        let ticks = Probe(Observable.interval(period, on: clock), 1)
        subject.send("a")
        clock.advance(by: .frames(1))
        #expect(probes[0].text == (period > .zero ? "" : "a") && probes[1].text == "a")
        #expect(ticks.text == (period > .zero ? "" : "0"))
        clock.advance(by: Duration(attoseconds: .max))
        #expect(probes.allSatisfy { $0.text == "a" })
    }
}
