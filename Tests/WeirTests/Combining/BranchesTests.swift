import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct BranchesTests {
    @Test func rules() {
        expectRules("(1,10) (2,20) (3,30) |") { $0.branches({ $0 }, { $0.map { $0 * 10 } }) }
        expectRules("(1,1,1) (3,3,3) |") { $0.branches({ $0 }, { $0.filter { $0 != 2 } }, { $0 }) }
    }

    @Test func aDiamondShowsNoRowInBetween() {
        let source = PublishSubject<Int, Boom>()
        let apart = Probe(combineLatest(source.map { $0 + 1 }, source.map { $0 * 10 }), .unbounded)
        let together = Probe(source.branches({ $0.map { $0 + 1 } }, { $0.map { $0 * 10 } }), .unbounded)
        for number in 1...2 { source.send(number) }
        #expect(apart.text == "(2, 10) (3, 10) (3, 20)")
        #expect(together.text == "(2, 10) (3, 20)")
    }

    @Test func upstreamIsSubscribedToOnceAndAskedForWhatIsAskedFor() {
        let up = TestSource<Int, Boom>([1, 2, 3, 4], .finish)
        let probe = Probe(up.observable.branches({ $0 }, { $0.filter { $0 > 2 } }), 1)
        #expect(up.attaches == 1 && up.requests == [1])
        #expect(probe.text == "(3, 3)", "elements without a row cost no demand")
        probe.request(1)
        #expect(probe.text == "(3, 3) (4, 4) |")
    }

    @Test func ofSeveralAnswersTheLastCounts() {
        let source = Observable<Int, Boom>([1, 2])
        let probe = Probe(source.branches({ $0.flatMap { .init([$0, $0 + 5]) } }, { $0 }), .unbounded)
        #expect(probe.text == "(6, 1) (7, 2) |")
    }

    @Test func answersThatComeLaterMakeNoRow() {
        let clock = VirtualClock()
        let source = PublishSubject<Int, Boom>()
        let probe = Probe(source.branches({ $0.delay(for: .frames(1), on: clock) }, { $0 }), .unbounded)
        source.send(1)
        clock.advance(by: .frames(2))
        source.send(2)
        #expect(probe.text == "")
        probe.release()
        #expect(clock.scheduledCount == 0 && probe.isReleased)
    }

    @Test func aBranchThatFinishesEndsItBehindItsRow() {
        let up = TestSource<Int, Boom>([1, 2, 3], .silence)
        let probe = Probe(
            up.observable.branches({ $0 }, { $0.prefix(2) }), .unbounded, onDone: { _ in #expect(up.cancels == 1) })
        #expect(probe.text == "(1, 1) (2, 2) |" && probe.isReleased)
    }

    @Test func aBranchThatFailsEndsIt() {
        let up = TestSource<Int, Boom>([1, 2, 3], .silence)
        let stream = up.observable.branches(
            { $0 },
            {
                $0.map { number throws(Boom) in
                    if number == 2 { throw Boom() }
                    return number
                }
            })
        let probe = Probe(stream, .unbounded)
        #expect(probe.text == "(1, 1) #boom" && up.cancels == 1 && probe.isReleased)
    }

    typealias Chain = @Sendable (Observable<Int, Boom>) -> Observable<Int, Boom>

    @Test(arguments: [[], [1]])
    func aBranchThatFailsAtTheEndOfUpstreamWinsOverIt(elements: [Int]) {
        let rows = elements.map { "(\($0), \($0)) " }.joined()
        let failing: Chain = { $0.concat(.fail(Boom())) }
        let source = Observable<Int, Boom>(elements)
        #expect(Probe(source.branches({ $0 }, failing), .unbounded).text == rows + "#boom")
        #expect(Probe(source.branches(failing, { $0 }), .unbounded).text == rows + "#boom")
        #expect(Probe(source.branches({ $0 }, { $0 }), .unbounded).text == rows + "|")
        let broken: Chain = { _ in .fail(Boom()) }
        #expect(Probe(source.branches({ $0 }, broken), .unbounded).text == "#boom")
        let again: Chain = { $0.repeat() }
        #expect(Probe(source.branches({ $0 }, again), .unbounded).text == rows + "|")
    }

    @Test(arguments: [nil, Boom(code: 7)])
    func aBranchThatFailedBehindAClockWinsOverTheEndOfUpstream(failure: Boom?) {
        let clock = VirtualClock()
        for (frames, came) in [(1, "#boom"), (9, failure == nil ? "|" : "#boom7")] {
            let source = PublishSubject<Int, Boom>()
            let late: Chain = { up in
                up.flatMap { _ in
                    Observable<Int, Never>.timer(.frames(frames), on: clock).setFailureType(to: Boom.self)
                        .concat(.fail(Boom()))
                }
            }
            let probe = Probe(source.branches({ $0 }, late), .unbounded)
            source.send(1)
            clock.advance(by: .frames(5))
            #expect(probe.text == "")
            source.send(completion: failure.map { .failed($0) } ?? .finished)
            #expect(probe.text == came && probe.isReleased && clock.scheduledCount == 0)
        }
    }

    @Test func ofBranchesThatEndAtOneElementAFailureCountsFirst() {
        let failing: Chain = { $0.flatMap { _ in Observable<Int, Boom>.fail(Boom()) } }
        let source = Observable<Int, Boom>([1, 2])
        #expect(Probe(source.branches({ $0.prefix(1) }, failing), .unbounded).text == "#boom")
        #expect(Probe(source.branches(failing, { $0.prefix(1) }), .unbounded).text == "#boom")
    }

    @Test func aSendFromTheHandlerComesAfterTheRow() {
        let source = PublishSubject<Int, Boom>()
        let probe = Probe(
            source.branches({ $0 }, { $0.map { -$0 } }), .unbounded,
            onNext: { _, row in if row.0 < 3 { source.send(row.0 + 1) } })
        source.send(1)
        #expect(probe.text == "(1, -1) (2, -2) (3, -3)")
    }

    @Test func aSubjectThatIsDroppedFreesTheSubscriber() {
        var source: PublishSubject<Int, Boom>? = PublishSubject()
        let probe = source.map { Probe($0.branches({ $0 }, { $0.scan(0) { $0 + $1 } }), .unbounded) }
        source?.send(1)
        source = nil
        #expect(probe?.text == "(1, 1)" && probe?.isReleased == true)
    }

    @Test func aBranchMaySubscribeAgainAndAgain() {
        let source = PublishSubject<Int, Boom>()
        let probe = Probe(source.branches({ $0.prefix(1).repeat() }, { $0 }), .unbounded)
        for number in 1...1_000 { source.send(number) }
        #expect(probe.elements.count == 1_000 && probe.elements.allSatisfy { $0.0 == $0.1 })
    }

    @Test func cancelRacesWithElements() {
        race("cancel against elements in branches") { meet in
            let source = PublishSubject<Int, Boom>()
            let probe = Probe(source.branches({ $0 }, { $0.map { $0 * 2 } }), .unbounded)
            return (
                [
                    { for number in 0..<500 { meet { source.send(number) } } },
                    {
                        spin { !probe.elements.isEmpty }
                        meet { probe.cancel() }
                    },
                ],
                {
                    probe.release()
                    source.send(0)
                    #expect(probe.isReleased && probe.elements.allSatisfy { $0.1 == $0.0 * 2 })
                }
            )
        }
    }
}
