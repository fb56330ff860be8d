import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct DelayTests {
    let clock = VirtualClock()
    let subject = PublishSubject<String, Boom>()

    @Test func rules() {
        expectRules("1 2 3 |", drawsAll: true, settle: { clock.advance(by: .seconds(1)) }) {
            $0.delay(for: .frames(2), on: clock)
        }
    }

    @Test(arguments: [
        ("a-b--|", "a@3, b@5, |@8"), ("(ab)", "a@3, b@3"), ("ab#", "#@2"), ("|", "|@3"), ("----", ""),
    ])
    func shiftsInTime(diagram: String, expected: String) {
        #expect(timed(diagram, on: clock) { $0.delay(for: .frames(3), on: clock) } == expected)
    }

    @Test func oneTimerIsSetForMany() {
        let probe = Probe(Observable<Int, Never>(0..<100_000).delay(for: .frames(2), on: clock), .unbounded)
        #expect(clock.scheduledCount == 1 && probe.text == "")
        clock.advance(by: .frames(2))
        #expect(probe.elements == Array(0..<100_000) && probe.end != nil)
    }

    @Test func whatNobodyAskedForWaitsAndTheEndBehindIt() {
        let probe = Probe(Observable<Int, Never>([1, 2]).delay(for: .frames(2), on: clock), 1)
        clock.advance(by: .seconds(1))
        #expect(probe.text == "1")
        probe.request(1)
        #expect(probe.text == "1 2 |")
    }

    @Test func cancelWithdrawsTheTimer() {
        let probe = Probe(subject.delay(for: .frames(2), on: clock), .unbounded)
        subject.send("a")
        probe.release()
        #expect(clock.scheduledCount == 0 && probe.isReleased)
        clock.advance(by: .seconds(1))
        #expect(probe.text == "")
    }

    @Test func aSendFromTheHandlerIsDelayedToo() {
        let probe = Probe(
            subject.delay(for: .frames(2), on: clock), .unbounded,
            onNext: { _, letter in if letter.count < 3 { subject.send(letter + "a") } })
        subject.send("a")
        clock.advance(by: .frames(5))
        #expect(probe.text == "a aa")
        clock.advance(by: .frames(1))
        #expect(probe.text == "a aa aaa")
    }

    @Test func aSubjectThatIsDroppedFreesTheSubscriberAfterWhatIsUnderWay() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let probe = subject.map { Probe($0.delay(for: .frames(2), on: clock), .unbounded) }
        subject?.send(1)
        subject = nil
        #expect(probe?.isReleased == false)
        clock.advance(by: .frames(2))
        #expect(probe?.text == "1" && probe?.isReleased == true)
    }

    @Test func onTheImmediateSchedulerNothingIsWaitedFor() {
        let start = ContinuousClock.now
        let probe = Probe(Observable<Int, Never>([1, 2]).delay(for: .seconds(20), on: .immediate), .unbounded)
        #expect(probe.text == "1 2 |" && ContinuousClock.now - start < .seconds(10))
    }

    @Test func aFailureComesAfterWhatWaitsForDemand() {
        expectAFailureBehindWhatWaits(on: clock) { $0.delay(for: .frames(2), on: clock) }
    }
}
