import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct BehaviorSubjectTests {
    @Test func aNewcomerGetsTheLatestFirst() {
        let subject = BehaviorSubject<Int, Boom>(0)
        let first = Probe(subject, .unbounded)
        subject.send(1)
        let second = Probe(subject, .unbounded)
        subject.value = 2
        subject.send(completion: .failed(Boom()))
        subject.send(3)
        #expect(first.text == "0 1 2 #boom" && second.text == "1 2 #boom" && subject.value == 2)
        #expect(Probe(subject, .unbounded).text == "#boom")
    }

    @Test func theLatestWaitsForDemand() {
        let subject = BehaviorSubject<Int, Never>(0)
        let probe = Probe(subject)
        subject.send(1)
        probe.request(1)
        #expect(probe.text == "1")
        subject.send(2)
        probe.request(1)
        #expect(probe.text == "1 2")
    }

    @Test func valueIsTheOneSentLastAlsoInsideAHandler() {
        let subject = BehaviorSubject<Int, Never>(0)
        let values = Log()
        let probe = Probe(
            subject, .unbounded,
            onNext: { _, element in
                if element < 3 { subject.send(element + 1) }
                values.add("\(element):\(subject.value)")
            })
        #expect(probe.text == "0 1 2 3" && "\(values)" == "0:1, 1:2, 2:3, 3:3")
    }

    @Test func whenTheLastReferenceGoesSubscribersAreFreedWithoutAnEnd() {
        var subject: BehaviorSubject<Int, Never>? = BehaviorSubject(0)
        let stream = subject?.observable ?? .empty()
        let probe = Probe(stream, .unbounded)
        subject = nil
        #expect(probe.text == "0" && probe.isReleased)
        let late = Probe(stream, 1)
        #expect(late.text == "" && late.isReleased)
    }

    @Test func olderValuesAreReleasedOutsideTheLock() {
        let place = Guarded<BehaviorSubject<Canary, Never>?>(nil)
        let seen = Counter()
        let subject = BehaviorSubject<Canary, Never>(
            Canary { if place.withLock({ $0 })?.value != nil { seen.add() } })
        place.withLock { $0 = subject }
        subject.send(Canary())
        #expect(seen.value == 1)
        place.withLock { $0 = nil }
    }

    @Test func valueAndStreamAgreeOnOneOrderOfTwoThreads() {
        race("two threads into a behavior subject") { meet in
            let subject = BehaviorSubject<Int, Never>(-1)
            let probe = Probe(subject, .unbounded)
            let bodies = (0..<2).map { index -> @Sendable () -> Void in
                { for number in 0..<200 { meet { subject.send(index * 200 + number) } } }
            }
            return (
                bodies,
                {
                    #expect(
                        probe.elements.last == subject.value && probe.elements.count == 401
                            && probe.faults == ProbeFaults())
                }
            )
        }
    }

    /// Two threads send one element each, a thousand times over: after each round the stream's last is the value.
    @Test func valueAndStreamAgreeAfterEachOfManyShortRoundsOfTwoThreads() {
        race("short rounds of two threads into a behavior subject", rounds: 10) { meet in
            let subject = BehaviorSubject<Int, Never>(-1)
            let last = Guarded(-1)
            let probe = Probe(subject, .unbounded, onNext: { _, element in last.withLock { $0 = element } })
            let arrived = Counter()
            let differing = Counter()
            let bodies = (0..<2).map { index -> @Sendable () -> Void in
                {
                    for round in 0..<100 {
                        arrived.add()
                        spin { arrived.value >= round * 4 + 2 }
                        meet { subject.send(round * 2 + index) }
                        arrived.add()
                        spin { arrived.value >= round * 4 + 4 }
                        // The other one waits at the next round's start.
                        if index == 0 && last.withLock({ $0 }) != subject.value { differing.add() }
                    }
                }
            }
            return (
                bodies,
                { #expect(differing.value == 0 && probe.elements.count == 201 && probe.faults == ProbeFaults()) }
            )
        }
    }

    @Test func describesItself() { #expect("\(BehaviorSubject<Int, Never>(3))" == "BehaviorSubject<Int, Never>(3)") }
}
