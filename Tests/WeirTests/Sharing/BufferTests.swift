import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct BufferTests {
    private typealias Policy = BufferPolicy<Boom>

    @Test func rules() {
        expectRules("1 2 3 |") { $0.buffer(.unbounded) }
        expectRules("1 2 3 |") { $0.buffer(.bounded(1, onOverflow: .suspend)) }
        expectRules("1 2 3 |") { $0.buffer(.bounded(2, onOverflow: .fail(Boom()))) }
    }

    @Test(arguments: [
        (Policy.unbounded, "0 1 2 3 4 5 6 |", 0),
        (.bounded(3, onOverflow: .dropOldest), "0 4 5 6 |", 3),
        (.bounded(3, onOverflow: .dropNewest), "0 1 2 3 |", 3),
        (.bounded(3, onOverflow: .fail(Boom(code: 3))), "0 1 2 3 #boom3", 1),
        (.bounded(3, onOverflow: .suspend), "0 1 2 3 4 5 6 |", 0),
        (.bounded(0, onOverflow: .dropOldest), "0 |", 6),
        (.bounded(-4, onOverflow: .dropNewest), "0 |", 6),
        (.bounded(0, onOverflow: .fail(Boom())), "0 #boom", 1),
    ])
    private func eachPolicyKeepsWhatItSaysAndCountsTheRest(policy: Policy, came: String, drops: Int) {
        let subject = PublishSubject<Int, Boom>()
        let dropped = DropCounter()
        let probe = Probe(subject.buffer(policy, dropped: dropped), 1)
        for number in 0..<7 { subject.send(number) }
        subject.send(completion: .finished)
        #expect(probe.elements == [0])
        probe.request(.unbounded)
        #expect(probe.text == came && dropped.count == drops)
        #expect(probe.isReleased)
    }

    @Test func itRunsAheadOfASlowSubscriber() {
        let up = TestSource<Int, Boom>([1, 2, 3], .finish)
        let probe = Probe(up.observable.buffer(.unbounded), 1)
        #expect(up.requests == [.unbounded] && probe.text == "1")
        probe.request(1)
        #expect(probe.text == "1 2")
    }

    @Test func suspendAsksForWhatFits() {
        let source = TestSource<Int, TestFailure>(Array(0..<100), .finish)
        let probe = Probe(source.observable.buffer(.bounded(8, onOverflow: .suspend)), 1)
        #expect(source.requests == [8] && probe.elements == [0])
        probe.request(5)
        #expect(source.requests == [8, 6])
        probe.request(.unbounded)
        #expect(probe.elements == Array(0..<100) && probe.end == .finished)
        #expect(source.requests.allSatisfy { $0.count <= 8 })
    }

    @Test func aFailureOfThePolicyCancelsUpstreamAtOnce() {
        let up = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(up.observable.buffer(.bounded(1, onOverflow: .fail(Boom()))), 1)
        #expect(up.cancels == 1 && probe.text == "1")
        probe.request(1)
        #expect(probe.text == "1 2 #boom")
    }

    @Test func aSubjectThatIsDroppedFreesTheSubscriberAfterWhatWaits() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let probe = subject.map { Probe($0.buffer(.unbounded), 1) }
        for number in 1...3 { subject?.send(number) }
        subject = nil
        probe?.request(1)
        #expect(probe?.text == "1 2" && probe?.isReleased == false)
        probe?.request(1)
        #expect(probe?.text == "1 2 3" && probe?.isReleased == true)
    }

    @Test func aSendFromTheHandlerComesAfterIt() {
        let subject = PublishSubject<Int, Boom>()
        let probe = Probe(
            subject.buffer(.bounded(2, onOverflow: .dropNewest)), .unbounded,
            onNext: { _, number in if number < 3 { subject.send(number + 1) } })
        subject.send(0)
        #expect(probe.text == "0 1 2 3")
    }

    @Test func aHundredThousandWaitAndCome() {
        let probe = Probe(Observable<Int, Boom>(0..<100_000).buffer(.unbounded), 1)
        probe.request(.unbounded)
        #expect(probe.elements == Array(0..<100_000) && probe.end == .finished)
    }

    @Test func aRaceOfSenderAndRequester() {
        race("buffer: send against request", rounds: 30) { meet in
            let subject = PublishSubject<Int, Boom>()
            let probe = Probe(subject.buffer(.bounded(1 << 20, onOverflow: .fail(Boom()))), 1)
            return (
                [
                    { for number in 0..<2_000 { meet { subject.send(number) } } },
                    { for _ in 0..<2_000 { meet { probe.request(1) } } },
                ], { #expect(probe.elements == Array(0..<2_000) && probe.faults == ProbeFaults()) }
            )
        }
    }
}
