import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct RepeatTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.repeat(1) } }

    @Test(arguments: [(0, "|"), (-2, "|"), (1, "1 2 |"), (3, "1 2 1 2 1 2 |")])
    func aCountOfRounds(count: Int, came: String) {
        #expect(Probe(Observable<Int, Boom>([1, 2]).repeat(count), .unbounded).text == came)
    }

    @Test func noRoundsNeverAttachUpstream() {
        let up = TestSource<Int, Boom>([1], .finish)
        #expect(Probe(up.observable.repeat(0), 1).text == "|")
        #expect(up.attaches == 0)
    }

    @Test func aFailureEndsIt() {
        let stream = Observable<Int, Boom>([1]).concat(.fail(Boom()))
        #expect(Probe(stream.repeat(), .unbounded).text == "1 #boom")
    }

    @Test func withoutALimitDemandBoundsIt() {
        let probe = Probe(Observable<Int, Boom>([1, 2]).repeat(), 5)
        #expect(probe.text == "1 2 1 2 1")
        probe.request(1)
        #expect(probe.text == "1 2 1 2 1 2")
        probe.release()
        #expect(probe.isReleased)
        #expect(Probe(Observable<Int, Boom>([1, 2]).repeat().prefix(3), .unbounded).text == "1 2 1 |")
    }

    @Test func aHundredThousandRoundsNeedNoStack() {
        onThread {
            #expect(Probe(Observable<Int, Boom>.empty().repeat(100_000), 1).text == "|")
            let count = Counter()
            let ones = Observable<Int, Boom>.just(1).repeat(100_000)
            _ = Probe(ones, .unbounded, onNext: { _, number in count.add(number) })
            #expect(count.value == 100_000)
        }
    }

    @Test func anEmptyStreamForEverEndsWhenOneOfTwoThreadsCancels() {
        let rounds = Counter()
        let source = Observable<Int, Boom>.create { emitter in
            rounds.add()
            emitter.finish()
        }
        let probe = Probe(source.repeat())
        let thread = TestThread { probe.request(1) }
        spin { rounds.value > 100 }
        probe.cancel()
        thread.join()
        #expect(probe.text == "")
    }
}
