import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct MergeTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.merge(with: .empty()) } }
    @Test func rulesOfOne() { expectRules("1 2 3 |") { .merge([$0]) } }

    @Test func interleavesAndEndsWithTheLast() {
        let streams = (0..<3).map { _ in PublishSubject<Int, Never>() }
        let probe = Probe(streams[0].merge(with: streams[1].observable, streams[2].observable), .unbounded)
        for (index, number) in [0, 2, 1, 0].enumerated() { streams[number].send(index) }
        streams[1].send(completion: .finished)
        streams[0].send(completion: .finished)
        #expect(probe.text == "0 1 2 3")
        streams[2].send(completion: .finished)
        #expect(probe.text == "0 1 2 3 |" && probe.isReleased)
    }

    @Test func anEmptyListFinishes() {
        #expect(Probe(Observable<Int, Never>.merge([]), 1).text == "|")
    }

    @Test func theFirstFailureCancelsTheOthersFirst() {
        let others = (0..<2).map { _ in TestSource<Int, Boom>([], .silence) }
        let broken = PublishSubject<Int, Boom>()
        let probe = Probe(
            Observable.merge([others[0].observable, broken.observable, others[1].observable]), .unbounded,
            onDone: { _ in #expect(others.allSatisfy { $0.cancels == 1 }) })
        broken.send(1)
        broken.send(completion: .failed(Boom()))
        #expect(probe.text == "1 #boom" && probe.isReleased)
    }

    @Test func aFailureAtTheFirstRequestKeepsTheRestFromStarting() {
        let last = TestSource<Int, Boom>([1], .finish)
        let probe = Probe(Observable.merge([.fail(Boom()), last.observable]), .unbounded)
        #expect(probe.text == "#boom" && last.requests.isEmpty)
    }

    @Test func boundedDemandIsObeyedAcrossAll() {
        let streams = (0..<3).map { base in TestSource<Int, Never>((0..<1_000).map { base * 1_000 + $0 }, .finish) }
        let probe = Probe(Observable.merge(streams.map(\.observable)), 5)
        #expect(probe.elements.count == 5 && streams.allSatisfy { $0.calls == "attach, request 32" })
        probe.request(.unbounded)
        #expect(probe.elements.count == 3_000 && probe.end != nil && probe.faults == ProbeFaults())
        for base in 0..<3 { #expect(probe.elements.filter { $0 / 1_000 == base }.count == 1_000) }
    }

    @Test func anUnusedElementCostsNoDemand() {
        let probe = Probe(
            Observable<Int, Never>(1...50).merge(with: Observable(51...100)), 2, uses: { $0.isMultiple(of: 25) })
        #expect(probe.elements.count { $0.isMultiple(of: 25) } == 2)
        probe.request(2)
        #expect(probe.elements.count == 100 && probe.end != nil && probe.faults == ProbeFaults())
    }

    @Test func cancelFromTheHandlerReachesAll() {
        let subject = PublishSubject<Int, Never>()
        let others = (0..<2).map { _ in TestSource<Int, Never>([], .silence) }
        let probe = Probe(
            Observable.merge([others[0].observable, subject.observable, others[1].observable]), .unbounded,
            onNext: { probe, _ in
                probe.cancel()
                subject.send(2)
            })
        subject.send(1)
        #expect(probe.text == "1" && others.allSatisfy { $0.cancels == 1 })
        probe.release()
        #expect(probe.isReleased)
    }

    @Test func subjectsThatAreDroppedFreeTheSubscriber() {
        var subjects = (0..<2).map { _ in PublishSubject<Int, Never>() }
        let probe = Probe(Observable.merge(subjects.map(\.observable)), .unbounded)
        subjects.removeLast()
        subjects[0].send(1)
        #expect(probe.text == "1" && !probe.isReleased)
        subjects = []
        #expect(probe.text == "1" && probe.isReleased)
    }

    @Test func aStreamThatIsLostKeepsTheOthersFromFinishing() {
        let lost = TestSource<Int, Never>([1], .loss)
        let probe = Probe(Observable.merge([lost.observable, Observable([2, 3])]), .unbounded)
        #expect(probe.text == "1 2 3" && probe.isReleased)
    }

    @Test func threadsAreSerialised() {
        race("three threads into merge", rounds: 5) { meet in
            let subjects = (0..<3).map { _ in PublishSubject<Int, Never>() }
            let probe = Probe(Observable.merge(subjects.map(\.observable)), .unbounded)
            let bodies = subjects.enumerated().map { index, subject -> @Sendable () -> Void in
                {
                    for number in 0..<5_000 { meet { subject.send(index * 5_000 + number) } }
                    subject.send(completion: .finished)
                }
            }
            return (
                bodies,
                {
                    #expect(probe.end != nil && probe.faults == ProbeFaults())
                    for index in 0..<3 {
                        let range = index * 5_000..<(index + 1) * 5_000
                        #expect(probe.elements.filter { range.contains($0) } == Array(range))
                    }
                }
            )
        }
    }

    @Test func aCancelWhileTheOtherOfTwoThreadsSends() {
        race("cancel against send in merge") { meet in
            let subject = PublishSubject<Int, Never>()
            let probe = Probe(subject.merge(with: .never()), .unbounded)
            return (
                [
                    { for number in 0..<500 { meet { subject.send(number) } } },
                    {
                        spin { !probe.elements.isEmpty }
                        meet { probe.release() }
                    },
                ],
                { #expect(probe.faults == ProbeFaults() && probe.isReleased) }
            )
        }
    }
}
