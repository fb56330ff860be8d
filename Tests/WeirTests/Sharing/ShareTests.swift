import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct ShareTests {
    @Test func rules() { expectRules("1 2 3 |") { $0.share() } }
    @Test func rulesWithReplay() { expectRules("1 2 3 |") { $0.share(replay: 2) } }

    @Test func oneUpstreamForAll() {
        let upstream = TestSource<Int, Never>([], .silence)
        let shared = upstream.observable.share()
        let probes = (0..<3).map { _ in Probe(shared, .unbounded) }
        #expect(upstream.calls == "attach, request unbounded")
        for probe in probes[..<2] { probe.release() }
        #expect(upstream.cancels == 0)
        probes[2].release()
        #expect(upstream.cancels == 1 && probes.allSatisfy { $0.isReleased })
        let late = Probe(shared, 1)
        #expect(upstream.attaches == 2 && late.text == "")
    }

    @Test func anUpstreamThatKeepsItsObserverIsAttachedAnewAfterTheLastHasLeft() {
        let kept = Guarded<[Observer<Int, Never>]>([])
        let shared = Observable<Int, Never> { down in
            kept.withLock { $0.append(down) }
            return Subscription(request: { _ in }, cancel: {})
        }.share()
        for probe in [Probe(shared, 1), Probe(shared, 1)] { probe.cancel() }
        let (late, observers) = (Probe(shared, 1), kept.withLock { $0 })
        #expect(observers.map { $0.next(7) }.count == 2 && late.text == "7" && late.faults == ProbeFaults())
        kept.withLock { $0 = [] }
    }

    @Test func everybodyGetsWhatComesWhileTheyListen() {
        let subject = PublishSubject<Int, Never>()
        let shared = subject.share()
        let first = Probe(shared, .unbounded)
        subject.send(1)
        let second = Probe(shared, .unbounded)
        subject.send(2)
        first.cancel()
        subject.send(3)
        subject.send(completion: .finished)
        #expect(first.text == "1 2" && second.text == "2 3 |")
    }

    @Test func aNewcomerGetsTheReplay() {
        let subject = PublishSubject<Int, Never>()
        let shared = subject.share(replay: 2)
        let first = Probe(shared, .unbounded)
        for number in 1...3 { subject.send(number) }
        let second = Probe(shared, 1)
        #expect(second.text == "2")
        second.request(.unbounded)
        subject.send(4)
        #expect(first.text == "1 2 3 4" && second.text == "2 3 4")
    }

    @Test func upstreamIsAskedForWhatTheSlowestWants() {
        let upstream = TestSource<Int, Never>(Array(1...9), .finish)
        let shared = upstream.observable.share()
        let fast = Probe(shared, 5)
        #expect(fast.text == "1 2 3 4 5" && upstream.calls == "attach, request 5")
        let slow = Probe(shared, 1)
        fast.request(3)
        #expect(fast.text == "1 2 3 4 5 6" && slow.text == "6")
        slow.request(9)
        #expect(fast.text == "1 2 3 4 5 6 7 8" && slow.text == "6 7 8")
        fast.cancel()
        #expect(slow.text == "6 7 8 9 |" && fast.faults == ProbeFaults())
    }

    @Test func theSlowestThatLeavesLetsTheOthersGoOn() {
        let upstream = TestSource<Int, Never>(Array(1...4), .finish)
        let shared = upstream.observable.share()
        let slow = Probe(shared, 1)
        let fast = Probe(shared, .unbounded)
        #expect(slow.text == "1" && fast.text == "")
        slow.cancel()
        #expect(fast.text == "2 3 4 |")
    }

    @Test func whoComesAfterTheEndConnectsAnew() {
        let upstream = TestSource<Int, Boom>([1], .fail(Boom()))
        let shared = upstream.observable.share(replay: 1)
        #expect(Probe(shared, .unbounded).text == "1 #boom" && Probe(shared, .unbounded).text == "1 #boom")
        #expect(upstream.attaches == 2)
    }

    @Test func subscribingFromTheHandlerJoins() {
        let subject = PublishSubject<Int, Never>()
        let shared = subject.share()
        let inner = Guarded<[Probe<Int, Never>]>([])
        let outer = Probe(
            shared, .unbounded,
            onNext: { _, element in
                if element == 1 { inner.withLock { $0.append(Probe(shared, .unbounded)) } }
            })
        subject.send(1)
        subject.send(2)
        #expect(outer.text == "1 2" && inner.withLock { $0.map(\.text) } == ["2"])
    }

    @Test func subscribingAtTheEndConnectsAnew() {
        let upstream = TestSource<Int, Never>([1], .finish)
        let shared = upstream.observable.share()
        let again = Guarded<[Probe<Int, Never>]>([])
        let probe = Probe(
            shared, .unbounded, onDone: { _ in again.withLock { $0.append(Probe(shared, .unbounded)) } })
        #expect(probe.text == "1 |" && again.withLock { $0.map(\.text) } == ["1 |"] && upstream.attaches == 2)
    }

    @Test func cancelFromInsideASynchronousUpstreamStopsIt() {
        let probe = Probe(
            Observable<Int, Never>(0...).share(), .unbounded,
            onNext: { probe, element in if element == 5 { probe.cancel() } })
        #expect(probe.text == "0 1 2 3 4 5")
    }

    @Test func aSubjectThatIsDroppedFreesAll() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let shared = (subject?.observable ?? .empty()).share()
        let probes = (0..<2).map { _ in Probe(shared, .unbounded) }
        subject?.send(1)
        subject = nil
        #expect(probes.allSatisfy { $0.text == "1" && $0.isReleased })
    }

    @Test func firstSubscribersOnTwoThreadsConnectOnce() {
        race("two first subscribers of share") { meet in
            let upstream = TestSource<Int, Never>([], .silence)
            let shared = upstream.observable.share()
            let probes = (0..<2).map { _ in Probe(shared) }
            return (
                probes.map { probe in { meet { probe.request(.unbounded) } } },
                {
                    #expect(upstream.attaches == 1)
                    for probe in probes { probe.release() }
                    #expect(upstream.cancels == 1 && probes.allSatisfy { $0.isReleased })
                }
            )
        }
    }

    @Test func joiningAndLeavingOnTwoThreadsLeavesNothingBehind() {
        race("joining and leaving", rounds: 5) { meet in
            let upstream = TestSource<Int, Never>([1, 2], .silence)
            let shared = upstream.observable.share(replay: 1)
            let body: @Sendable () -> Void = {
                for _ in 0..<200 {
                    let probe = meet {
                        let probe = Probe(shared, .unbounded)
                        probe.release()
                        return probe
                    }
                    #expect(probe.faults == ProbeFaults())
                }
            }
            return ([body, body], { #expect(upstream.cancels == upstream.attaches) })
        }
    }

    @Test func whoeverOfTwoThreadsJoinsAsAReplayedConnectionEndsGetsTheReplay() {
        race("joining at the end", rounds: 2_000) { meet in
            let shared = Observable.just(1).share(replay: 1)
            let listeners = (0..<2).map { _ in Probe(shared) }
            return (
                listeners.map { listener in { meet { listener.request(.unbounded) } } },
                { #expect(listeners.allSatisfy { $0.elements == [1] && $0.end != nil && $0.faults == ProbeFaults() }) }
            )
        }
    }

    @Test func manySubscribersOfOneConnection() {
        let subject = PublishSubject<Int, Never>()
        let shared = subject.share()
        let listeners = (0..<20_000).map { _ in Probe(shared, .unbounded) }
        subject.send(1)
        #expect(listeners.allSatisfy { $0.elements == [1] })
        for listener in listeners { listener.release() }
        subject.send(2)
        #expect(listeners.allSatisfy { $0.elements == [1] })
    }

    /// With a look at all subscribers for each request of one this takes an hour.
    @Test(.timeLimit(.minutes(5))) func manyWhoAskOneByOneCostNoMoreThanTheirElements() {
        let shared = Observable<Int, Never>(0..<4).share()
        let heard = Counter()
        let slowest = Probe(shared, 1)
        let all = (0..<20_000).map { _ in Probe(shared, 1, onNext: { _, _ in heard.add() }) }
        for _ in 0..<3 { for listener in all { listener.request(1) } }
        #expect(heard.value == 0 && slowest.text == "0")
        slowest.request(1)
        #expect(heard.value == 20_000 && slowest.text == "0 1")
        slowest.request(2)
        #expect(heard.value == 60_000 && slowest.text == "0 1 2 3 |")
        #expect(all.allSatisfy { $0.end == .finished && $0.faults == ProbeFaults() })
    }
}
