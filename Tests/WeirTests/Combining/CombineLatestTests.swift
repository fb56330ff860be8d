import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct CombineLatestTests {
    @Test func rules() { expectRules("(0,1) (0,2) (0,3) |") { combineLatest(.just(0), $0) } }
    @Test func rulesOfAList() { expectRules("[1] [2] [3] |") { combineLatest([$0]) } }

    @Test func theLatestOfEachOnceAllHaveEmitted() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<String, Never>())
        let probe = Probe(left.combineLatest(with: right.observable), .unbounded)
        left.send(1)
        left.send(2)
        #expect(probe.text == "")
        right.send("a")
        right.send("b")
        left.send(3)
        left.send(completion: .finished)
        right.send("c")
        #expect(probe.text == #"(2, "a") (2, "b") (3, "b") (3, "c")"#)
        right.send(completion: .finished)
        #expect(probe.end != nil && probe.isReleased)
    }

    @Test func aStreamThatEndsWithoutAnElementEndsAll() {
        let other = TestSource<Int, Never>([1], .silence)
        let probe = Probe(
            combineLatest(other.observable, Observable<Int, Never>.empty()), .unbounded,
            onDone: { _ in #expect(other.cancels == 1) })
        #expect(probe.text == "|")
        let failing = Observable<Int, Boom>.fail(Boom())
        #expect(Probe(combineLatest(Observable<Int, Boom>.empty(), failing), .unbounded).text == "|")
    }

    @Test func aDiamondShowsTheRowInBetween() {
        let source = PublishSubject<Int, Never>()
        let probe = Probe(combineLatest(source.observable, source.map { $0 * 10 }), .unbounded)
        source.send(1)
        source.send(2)
        #expect(probe.text == "(1, 10) (2, 10) (2, 20)")
    }

    @Test func noRowIsSkippedForASlowReader() {
        let streams = (0..<2).map { _ in TestSource<Int, Never>(Array(0..<300), .finish) }
        let probe = Probe(combineLatest(streams[0].observable, streams[1].observable), 1)
        #expect(probe.elements.count == 1)
        for _ in 1..<599 { probe.request(1) }
        #expect(
            probe.elements.last.map { $0 == (299, 299) } == true && probe.end != nil && probe.faults == ProbeFaults())
        let asked = streams.map { stream in
            stream.requests.reduce(0) { $0 + $1.count }
        }
        #expect(asked.allSatisfy { $0 <= 300 + 64 })
    }

    @Test func anUnusedRowCostsNoDemand() {
        let probe = Probe(
            combineLatest(Observable<Int, Never>.just(0), Observable(0..<500)), 1, uses: { $0.1 == 400 })
        #expect(probe.elements.count == 401 && probe.faults == ProbeFaults())
    }

    @Test func lists() {
        #expect(Probe(combineLatest([Observable<Int, Never>]()), 1).text == "[] |")
        let probe = Probe(combineLatest((0..<40).map { Observable<Int, Never>.just($0) }), .unbounded)
        #expect(probe.elements == [Array(0..<40)] && probe.end != nil)
    }

    @Test func rowsOfManyTypes() {
        let rows = combineLatest(
            Observable<Void, Never>.just(()), Observable.just("a"), Observable.just(true), Observable.just(1.5),
            Observable<UInt8, Never>.just(1), Observable.just([1]))
        #expect(Probe(rows, .unbounded).text == #"((), "a", true, 1.5, 1, [1]) |"#)
    }

    @Test func theFirstFailureCancelsTheOthersFirst() {
        let other = TestSource<Int, Boom>([1], .silence)
        let broken = PublishSubject<Int, Boom>()
        let probe = Probe(
            other.observable.combineLatest(with: broken.observable), .unbounded,
            onDone: { _ in #expect(other.cancels == 1) })
        broken.send(completion: .failed(Boom()))
        #expect(probe.text == "#boom" && probe.isReleased)
        #expect(
            Probe(other.observable.combineLatest(with: Observable<Int, Never>([7])), .unbounded).text == "(1, 7)")
    }

    @Test func whatIsSentInAHandlerThatCancelsIsDropped() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<Int, Never>())
        let probe = Probe(
            combineLatest(left.observable, right.observable), .unbounded,
            onNext: { probe, _ in
                for number in 0..<1_000 { right.send(number) }
                probe.cancel()
            })
        right.send(0)
        left.send(0)
        #expect(probe.text == "(0, 0)")
        probe.release()
        #expect(probe.isReleased)
    }

    @Test func sendsFromTheHandlerAreKept() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<Int, Never>())
        let probe = Probe(
            combineLatest(left.observable, right.observable), .unbounded,
            onNext: { _, row in if row.1 < 1_000 { right.send(row.1 + 1) } })
        left.send(1)
        right.send(1)
        #expect(probe.elements.map(\.1) == Array(1...1_000) && probe.faults == ProbeFaults())
    }

    @Test func elementsAreReleasedWithTheStream() {
        let alive = Counter()
        let probe = Probe(
            combineLatest(
                Observable<Int, Never>(0..<50).map { _ in
                    alive.add()
                    return Canary { alive.add(-1) }
                }, Observable<Int, Never>.never()), .unbounded)
        #expect(alive.value == 1)
        probe.release()
        #expect(alive.value == 0)
    }

    @Test func subjectsThatAreDroppedFreeTheSubscriber() {
        var subjects = (0..<2).map { _ in PublishSubject<Int, Never>() }
        let probe = Probe(combineLatest(subjects.map(\.observable)), .unbounded)
        for subject in subjects { subject.send(1) }
        subjects.removeFirst()
        subjects[0].send(2)
        #expect(probe.text == "[1, 1] [1, 2]" && !probe.isReleased)
        subjects = []
        #expect(probe.text == "[1, 1] [1, 2]" && probe.isReleased)
    }

    @Test func twoThreads() {
        race("two threads into combineLatest", rounds: 5) { meet in
            let subjects = (0..<2).map { _ in BehaviorSubject<Int, Never>(0) }
            let probe = Probe(combineLatest(subjects[0].observable, subjects[1].observable), .unbounded)
            let bodies = subjects.map { subject -> @Sendable () -> Void in
                { for number in 1...3_000 { meet { subject.send(number) } } }
            }
            return (
                bodies,
                {
                    #expect(probe.faults == ProbeFaults() && probe.elements.count == 6_001)
                    #expect(probe.elements.last.map { $0 == (3_000, 3_000) } == true)
                }
            )
        }
    }
}
