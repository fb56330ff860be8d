import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct ThrottleTests {
    let clock = VirtualClock()
    let subject = PublishSubject<String, Boom>()

    @Test func rules() {
        expectRules("1 3 |", drawsAll: true, settle: { clock.advance(by: .seconds(1)) }) {
            $0.throttle(for: .frames(4), on: clock)
        }
    }

    private func run(_ diagram: String, latest: Bool = true, interval: Duration = .frames(4)) -> String {
        let came = timed(diagram, on: clock) { $0.throttle(for: interval, on: clock, latest: latest) }
        #expect(clock.scheduledCount == 0)
        return came
    }

    @Test(arguments: [
        ("a-------", "a@0"), ("ab------", "a@0, b@4"), ("abcd----", "a@0, d@4"), ("abcdefghi", "a@0, d@4, h@8, i@12"),
        ("a---b---", "a@0, b@4"), ("ab-----c", "a@0, b@4, c@8"), ("ab---------c", "a@0, b@4, c@11"),
        ("ab|", "a@0, b@2, |@2"), ("a--|", "a@0, |@3"), ("ab#", "a@0, #@2"), ("|", "|@0"), ("------", ""),
    ])
    func atMostOneInAnIntervalAndTheLastIsNeverLost(diagram: String, came: String) { #expect(run(diagram) == came) }

    @Test(arguments: [
        ("abcdefghi", "a@0, e@4, i@8"), ("ab------c", "a@0, c@8"), ("ab|", "a@0, |@2"), ("ab#", "a@0, #@2"),
    ])
    func withoutTheLatestTheFirstOfEachInterval(diagram: String, came: String) {
        #expect(run(diagram, latest: false) == came)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func noIntervalLetsEverythingPass(interval: Duration) {
        #expect(run("ab-c|", interval: interval) == "a@0, b@1, c@3, |@4")
    }

    @Test func whatNobodyAskedForWaits() {
        let probe = Probe(subject.throttle(for: .frames(2), on: clock), 1)
        for letter in ["a", "b", "c"] {
            subject.send(letter)
            clock.advance(by: .frames(2))
        }
        #expect(probe.text == "a")
        probe.request(5)
        #expect(probe.text == "a b c")
    }

    @Test func cancelWithdrawsTheTimer() {
        let probe = Probe(subject.throttle(for: .frames(2), on: clock), .unbounded)
        subject.send("a")
        #expect(clock.scheduledCount == 1)
        probe.release()
        #expect(clock.scheduledCount == 0 && probe.isReleased)
    }

    @Test func aSendFromTheHandlerWaitsForTheNextInterval() {
        let times = Log()
        let probe = Probe(
            subject.throttle(for: .frames(2), on: clock), .unbounded,
            onNext: { _, letter in
                times.add("\(letter)@\(clock.now.frame)")
                if letter.count < 3 { subject.send(letter + "a") }
            })
        subject.send("a")
        clock.advance(by: .frames(9))
        #expect("\(times)" == "a@0, aa@2, aaa@4" && probe.faults == ProbeFaults())
    }

    @Test func manyInOneInstantNeedOneTimer() {
        let probe = Probe(
            Observable<Int, Never>(0..<100_000).concat(.never()).throttle(for: .frames(2), on: clock), .unbounded)
        #expect(clock.scheduledCount == 1)
        clock.advance(by: .frames(2))
        #expect(probe.text == "0 99999")
    }

    @Test func aFailureComesAfterWhatWaitsForDemand() {
        let probe = Probe(subject.throttle(for: .frames(2), on: clock), 1)
        for letter in ["a", "b", "c"] {
            subject.send(letter)
            clock.advance(by: .frames(2))
        }
        subject.send("d")
        subject.send("in hand")
        subject.send(completion: .failed(Boom()))
        #expect(probe.text == "a" && clock.scheduledCount == 0)
        probe.request(1)
        #expect(probe.text == "a b")
        probe.request(2)
        #expect(probe.text == "a b c d #boom" && probe.isReleased)
    }
}
