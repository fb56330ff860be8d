import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct ZipTests {
    @Test func rules() { expectRules("(1,0) (2,1) (3,2) |") { zip($0, Observable(0..<3)) } }
    @Test func rulesOfAList() { expectRules("[1] [2] [3] |") { zip([$0]) } }

    @Test func pairsByPosition() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<String, Never>())
        let probe = Probe(zip(left.observable, right.observable), .unbounded)
        left.send(1)
        left.send(2)
        right.send("a")
        right.send("b")
        right.send("c")
        left.send(3)
        #expect(probe.text == #"(1, "a") (2, "b") (3, "c")"#)
    }

    @Test func finishesAsSoonAsNoRowCanCome() {
        let right = TestSource<Int, Never>([1, 2, 3], .silence)
        let probe = Probe(
            zip(Observable<Int, Never>([1, 2]), right.observable), .unbounded,
            onDone: { _ in #expect(right.cancels == 1) })
        #expect(probe.text == "(1, 1) (2, 2) |" && probe.isReleased)
        let (left, silent) = (PublishSubject<Int, Never>(), TestSource<Int, Never>([], .silence))
        let empty = Probe(zip(left.observable, silent.observable), .unbounded)
        left.send(completion: .finished)
        #expect(empty.text == "|" && silent.cancels == 1)
    }

    /// Whatever the others would say then, a failure too.
    @Test func aStreamThatAnswersAtOnceMayEndItBeforeAnotherFails() {
        let right = Observable<Int, Boom>([1, 2, 3]).map { number throws(Boom) in
            if number == 3 { throw Boom() }
            return number
        }
        #expect(Probe(zip(Observable([1, 2]), right), .unbounded).text == "(1, 1) (2, 2) |")
        #expect(Probe(zip(Observable([1, 2, 3]), right), .unbounded).text == "(1, 1) (2, 2) #boom")
        let unasked = TestSource<Int, Boom>([1], .fail(Boom()))
        #expect(Probe(zip(Observable<Int, Boom>.empty(), unasked.observable), .unbounded).text == "|")
        #expect(unasked.requests.isEmpty)
    }

    @Test func aStreamThatEndsWithPairsLeftWaitsForThem() {
        let right = PublishSubject<Int, Never>()
        let probe = Probe(zip(Observable<Int, Never>([1, 2]), right.observable), .unbounded)
        right.send(1)
        #expect(probe.text == "(1, 1)")
        right.send(2)
        #expect(probe.text == "(1, 1) (2, 2) |")
    }

    @Test func theEndNeedsNoDemand() {
        let probe = Probe(zip(Observable<Int, Never>([1, 2]), Observable(5...)), 2)
        #expect(probe.text == "(1, 5) (2, 6) |")
    }

    @Test func demandIsObeyed() {
        let streams = (0..<2).map { _ in TestSource<Int, Never>(Array(0..<1_000), .finish) }
        let probe = Probe(zip(streams[0].observable, streams[1].observable), 1)
        #expect(probe.text == "(0, 0)" && streams.allSatisfy { $0.calls == "attach, request 64" })
        for _ in 1..<1_000 { probe.request(1) }
        #expect(probe.elements.count == 1_000 && probe.end != nil && probe.faults == ProbeFaults())
    }

    @Test func anUnusedRowCostsNoDemand() {
        let probe = Probe(
            zip(Observable<Int, Never>(0..<1_000), Observable(0..<1_000)), 1, uses: { $0.0 == 700 })
        #expect(probe.elements.count == 701 && probe.faults == ProbeFaults())
    }

    @Test func rowsOfManyTypes() {
        let rows = zip(
            Observable<Void, Never>([(), ()]), Observable(["a", "b"]), Observable([true, false]),
            Observable([1.5, 2.5]), Observable<UInt8, Never>([1, 2]), Observable([[1], [2, 3]]))
        #expect(Probe(rows, .unbounded).text == #"((), "a", true, 1.5, 1, [1]) ((), "b", false, 2.5, 2, [2, 3]) |"#)
    }

    @Test func lists() {
        #expect(Probe(zip([Observable<Int, Never>]()), 1).text == "[] |")
        let probe = Probe(zip((0..<40).map { Observable<Int, Never>([$0, -$0]) }), .unbounded)
        #expect(probe.elements == [Array(0..<40), (0..<40).map { -$0 }] && probe.end != nil)
    }

    @Test func theFirstFailureCancelsTheOthersFirst() {
        let other = TestSource<Int, Boom>([1], .silence)
        let broken = PublishSubject<Int, Boom>()
        let probe = Probe(
            other.observable.zip(with: broken.observable), .unbounded, onDone: { _ in #expect(other.cancels == 1) })
        broken.send(completion: .failed(Boom()))
        #expect(probe.text == "#boom" && probe.isReleased)
        #expect(Probe(other.observable.zip(with: Observable<Int, Never>([7])), .unbounded).text == "(1, 7) |")
    }

    @Test func sendsFromTheHandlerAreKept() {
        let (left, right) = (PublishSubject<Int, Never>(), PublishSubject<Int, Never>())
        let probe = Probe(
            zip(left.observable, right.observable), .unbounded,
            onNext: { _, row in
                guard row.0 < 1_000 else { return }
                right.send(row.1 + 1)
                left.send(row.0 + 1)
            })
        left.send(1)
        right.send(1)
        #expect(probe.elements.map(\.0) == Array(1...1_000) && probe.faults == ProbeFaults())
    }

    @Test func cancelFromTheHandlerReachesAll() {
        let streams = (0..<2).map { _ in TestSource<Int, Never>(Array(0..<500), .finish) }
        let probe = Probe(
            zip(streams[0].observable, streams[1].observable), .unbounded,
            onNext: { probe, row in if row.0 == 100 { probe.cancel() } })
        #expect(probe.elements.count == 101 && streams[1].cancels == 1)
        probe.release()
        #expect(probe.isReleased)
    }

    @Test func elementsThatFindNoPartnerAreReleased() {
        let alive = Counter()
        let probe = Probe(
            zip(
                Observable<Int, Never>(0..<50).map { _ in
                    alive.add()
                    return Canary { alive.add(-1) }
                }, Observable<Int, Never>.never()), .unbounded)
        #expect(alive.value == 50)
        probe.release()
        #expect(alive.value == 0)
    }

    @Test func subjectsThatAreDroppedFreeTheSubscriber() {
        var left: PublishSubject<Int, Never>? = PublishSubject()
        let right = PublishSubject<Int, Never>()
        let probe = left.map { Probe(zip($0.observable, right.observable), .unbounded) }
        left?.send(1)
        right.send(1)
        left = nil
        #expect(probe?.text == "(1, 1)" && probe?.isReleased == true)
    }

    @Test func twoThreads() {
        race("two threads into zip", rounds: 5) { meet in
            let subjects = (0..<2).map { _ in PublishSubject<Int, Never>() }
            let probe = Probe(zip(subjects[0].observable, subjects[1].observable), .unbounded)
            let bodies = subjects.map { subject -> @Sendable () -> Void in
                {
                    for number in 0..<5_000 { meet { subject.send(number) } }
                    subject.send(completion: .finished)
                }
            }
            return (
                bodies,
                {
                    #expect(probe.end != nil && probe.faults == ProbeFaults())
                    #expect(probe.elements.map(\.0) == Array(0..<5_000) && probe.elements.allSatisfy { $0.0 == $0.1 })
                }
            )
        }
    }
}
