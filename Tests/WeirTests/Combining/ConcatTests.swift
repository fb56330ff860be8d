import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct ConcatTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.concat() } }
    @Test func rulesOfTheSecond() { expectRules("1 2 3 |") { Observable.empty().concat($0) } }

    @Test func oneAfterTheOther() {
        let streams = [TestSource<Int, Never>([1, 2], .finish), TestSource([], .finish), TestSource([3], .finish)]
        let probe = Probe(Observable.concat(streams.map(\.observable)), 2)
        #expect(probe.text == "1 2" && streams[2].requests.isEmpty)
        probe.request(1)
        #expect(probe.text == "1 2 3 |")
    }

    @Test func theNextOneGetsWhatIsLeftOfTheDemand() {
        let streams = [TestSource<Int, Never>([1, 2], .finish), TestSource([3, 4, 5], .finish)]
        let probe = Probe(streams[0].observable.concat(streams[1].observable), 3)
        #expect(probe.text == "1 2 3" && streams[1].calls == "attach, request 1")
        probe.request(.unbounded)
        #expect(probe.text == "1 2 3 4 5 |")
    }

    @Test func unusedElementsLeaveTheirDemand() {
        let probe = Probe(Observable<Int, Never>(1...3).concat(Observable(4...6)), 2, uses: { $0 >= 3 })
        #expect(probe.text == "1 2 3 4")
    }

    @Test func aFailureLeavesTheRestAlone() {
        let rest = TestSource<Int, Boom>([9], .finish)
        let probe = Probe(Observable<Int, Boom>.fail(Boom()).concat(rest.observable), .unbounded)
        #expect(probe.text == "#boom" && rest.attaches == 0)
    }

    @Test func anEmptyListFinishes() {
        #expect(Probe(Observable<Int, Never>.concat([]), 1).text == "|")
    }

    @Test func cancelReachesTheOneThatRuns() {
        let second = TestSource<Int, Never>([2], .silence)
        let third = TestSource<Int, Never>([3], .finish)
        let probe = Probe(Observable.concat([.just(1), second.observable, third.observable]), .unbounded)
        probe.release()
        #expect(probe.text == "1 2" && second.cancels == 1 && third.attaches == 0 && probe.isReleased)
    }

    @Test func cancelInsideBetweenTwoStreams() {
        let second = TestSource<Int, Never>([2], .finish)
        let probe = Probe(
            Observable<Int, Never>.just(1).concat(second.observable), .unbounded, onNext: { probe, _ in probe.cancel() }
        )
        #expect(probe.text == "1" && second.attaches == 0)
        probe.release()
        #expect(probe.isReleased)
    }

    @Test func cancelWhileTheSecondIsAttachedReachesIt() {
        let source = TestSource<Int, Never>([2], .silence)
        let place = Guarded<Probe<Int, Never>?>(nil)
        let second = Observable<Int, Never> { down in
            let up = source.observable.attach(down)
            place.withLock { $0 }?.cancel()
            return up
        }
        let probe = Probe(Observable.just(1).concat(second))
        place.withLock { $0 = probe }
        probe.request(2)
        #expect(probe.text == "1" && source.calls == "attach, cancel")
        place.withLock { $0 = nil }
        probe.release()
        #expect(probe.isReleased)
    }

    @Test func manyStreamsNeedNoStack() {
        onThread(stack: 128) {
            let streams = (0..<100_000).map { Observable<Int, Never>.just($0) }
            let probe = Probe(Observable.concat(streams), .unbounded)
            #expect(probe.elements == Array(0..<100_000) && probe.end != nil && probe.faults == ProbeFaults())
            let counted = Probe(Observable.concat(streams), 1, onNext: { probe, _ in probe.request(1) })
            #expect(counted.elements.count == 100_000 && counted.end != nil && counted.faults == ProbeFaults())
        }
    }

    @Test func aHotStreamThatEndsStartsTheNext() {
        let first = PublishSubject<Int, Never>()
        let second = BehaviorSubject<Int, Never>(7)
        let probe = Probe(first.concat(second.observable), .unbounded)
        first.send(1)
        first.send(completion: .finished)
        second.send(8)
        #expect(probe.text == "1 7 8")
    }

    @Test func whatTheEndedStreamHeldIsReleasedOutsideTheLock() {
        // The deinit of something that only the first stream's subscription holds comes back with a cancel.
        let held = Guarded<(@Sendable () -> Void)?>(nil)
        let first = Observable<Int, Never> { observer in
            let canary = Canary { held.withLock { $0 }?() }
            let box = Guarded<Observer<Int, Never>?>(observer)
            let finish: @Sendable () -> Void = {
                let observer = box.withLock { observer in
                    let taken = observer
                    observer = nil
                    return taken
                }
                observer?.done(.finished)
            }
            held.withLock { $0 = finish }
            return Subscription(request: { _ in _ = canary }, cancel: {})
        }
        let probe = Probe(first.concat(.just(1)), .unbounded)
        let finish = held.withLock { $0 }
        held.withLock { $0 = { probe.cancel() } }
        finish?()
        #expect(probe.text == "1 |")
        let last = held.withLock { held in
            let last = held
            held = nil
            return last
        }
        _ = last
    }

    @Test func demandFromTwoThreadsIsNotLost() {
        race("two threads ask concat", rounds: 20) { meet in
            let streams = (0..<1_000).map { Observable<Int, Never>.just($0) }
            let probe = Probe(Observable.concat(streams))
            let body: @Sendable () -> Void = { for _ in 0..<500 { meet { probe.request(1) } } }
            return (
                [body, body],
                { #expect(probe.elements == Array(0..<1_000) && probe.end != nil && probe.faults == ProbeFaults()) }
            )
        }
    }
}
