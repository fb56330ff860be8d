import Dispatch
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct PublishSubjectTests {
    @Test func aNewcomerGetsWhatComesAfterIt() {
        let subject = PublishSubject<Int, Boom>()
        subject.send(0)
        let first = Probe(subject, .unbounded)
        subject.send(1)
        let second = Probe(subject, .unbounded)
        subject.send(2)
        subject.send(completion: .failed(Boom()))
        subject.send(3)
        subject.send(completion: .finished)
        #expect(first.text == "1 2 #boom" && second.text == "2 #boom")
        #expect(Probe(subject, 1).text == "#boom" && first.isReleased)
    }

    @Test func attachingIsNotSubscribing() {
        let subject = PublishSubject<Int, Never>()
        let probe = Probe(subject)
        subject.send(1)
        probe.request(1)
        subject.send(2)
        #expect(probe.text == "2")
    }

    @Test func nothingIsDroppedForASlowSubscriber() {
        let subject = PublishSubject<Int, Never>()
        let (slow, fast) = (Probe(subject, 1), Probe(subject, .unbounded))
        for number in 0..<100_000 { subject.send(number) }
        subject.send(completion: .finished)
        #expect(slow.text == "0" && fast.elements.count == 100_000)
        slow.request(2)
        #expect(slow.text == "0 1 2")
        slow.request(.unbounded)
        #expect(slow.elements == Array(0..<100_000) && slow.end != nil && slow.faults == ProbeFaults())
        #expect(slow.isReleased)
    }

    @Test func aSendFromAHandlerComesAfterTheElementInHand() {
        let subject = PublishSubject<Int, Never>()
        let order = Log()
        let probes = ["a", "b"].map { name in
            Probe(
                subject, .unbounded,
                onNext: { _, element in
                    order.add("\(name)\(element)")
                    if name == "a" && element < 3 { subject.send(element + 1) }
                })
        }
        subject.send(1)
        #expect("\(order)" == "a1, b1, a2, b2, a3, b3" && probes.allSatisfy { $0.faults == ProbeFaults() })
    }

    @Test func sendsFromAHandlerNeedNoStack() {
        onThread(stack: 128) {
            let subject = PublishSubject<Int, Never>()
            let probe = Probe(
                subject, .unbounded, onNext: { _, element in if element < 100_000 { subject.send(element + 1) } })
            subject.send(1)
            #expect(probe.elements.count == 100_000 && probe.faults == ProbeFaults())
        }
    }

    @Test func subscribingAndCancellingFromAHandler() {
        let subject = PublishSubject<Int, Never>()
        let joined = Guarded<[Probe<Int, Never>]>([])
        let second = Guarded<Probe<Int, Never>?>(nil)
        let first = Probe(
            subject, .unbounded,
            onNext: { _, element in
                guard element == 1 else { return }
                joined.withLock { $0.append(Probe(subject, .unbounded)) }
                second.withLock { $0 }?.cancel()
            })
        let cancelled = Probe(subject, .unbounded)
        second.withLock { $0 = cancelled }
        subject.send(1)
        subject.send(2)
        #expect(first.text == "1 2" && cancelled.text == "" && joined.withLock { $0.map(\.text) } == ["2"])
        second.withLock { $0 = nil }
    }

    @Test func endingFromAHandler() {
        let subject = PublishSubject<Int, Never>()
        let probes = (0..<2).map { _ in
            Probe(subject, .unbounded, onNext: { _, _ in subject.send(completion: .finished) })
        }
        subject.send(1)
        #expect(probes.allSatisfy { $0.text == "1 |" })
    }

    @Test func whenTheLastReferenceGoesSubscribersAreFreedWithoutAnEnd() {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        let stream = subject?.observable ?? .empty()
        let (eager, slow, unasked) = (Probe(stream, .unbounded), Probe(stream, 1), Probe(stream))
        for number in 1...2 { subject?.send(number) }
        subject = nil
        #expect(eager.text == "1 2" && eager.isReleased)
        #expect(slow.text == "1" && !slow.isReleased)
        slow.request(1)
        #expect(slow.text == "1 2" && slow.isReleased)
        unasked.request(1)
        #expect(unasked.text == "" && unasked.isReleased)
        let late = Probe(stream, 1)
        #expect(late.text == "" && late.isReleased)
    }

    @Test func theLastReferenceMayGoInsideAHandler() {
        let place = Guarded<PublishSubject<Int, Never>?>(PublishSubject())
        let probe = place.withLock { $0 }.map { subject in
            Probe(subject.observable, .unbounded, onNext: { _, _ in place.withLock { $0 = nil } })
        }
        place.withLock { $0 }?.send(1)
        #expect(probe?.text == "1" && probe?.isReleased == true)
    }

    @Test func aHundredThousandSubscribersJoinAndLeaveInLinearTime() {
        let subject = PublishSubject<Int, Never>()
        let heard = Counter()
        var tokens = (0..<100_000).map { _ in subject.subscribe { heard.add($0) } }
        subject.send(1)
        #expect(heard.value == 100_000)
        tokens.removeAll { _ in Bool.random() }
        subject.send(1)
        #expect(heard.value == 100_000 + tokens.count)
        tokens = []
        let before = heard.value
        subject.send(1)
        #expect(heard.value == before)
    }

    @Test func twoThreadsThatSendAreSeenInOneOrderByAll() {
        race("two threads into a subject", rounds: 5) { meet in
            let subject = PublishSubject<Int, Never>()
            let probes = (0..<3).map { _ in Probe(subject, .unbounded) }
            let bodies = (0..<2).map { index -> @Sendable () -> Void in
                { for number in 0..<5_000 { meet { subject.send(index * 5_000 + number) } } }
            }
            return (
                bodies,
                {
                    #expect(probes.allSatisfy { $0.faults == ProbeFaults() } && probes[0].elements.count == 10_000)
                    #expect(probes[1].elements == probes[0].elements && probes[2].elements == probes[0].elements)
                }
            )
        }
    }

    /// One thread is inside the handler and waits for the lock; the other one holds the lock and sends. Where delivery held
    /// a lock of the library's, neither could go on.
    @Test func aLockThatAHandlerWantsAndASenderHoldsIsNoDeadlockOfTwoThreads() {
        race("a lock of the user's in handler and sender", rounds: 5) { meet in
            let subject = PublishSubject<Int, Never>()
            let mine = DispatchSemaphore(value: 1)
            let (inside, held, done) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            let sent = Counter()
            let token = subject.subscribe { element in
                sent.add()
                guard element == 1 else { return }
                inside.signal()
                meet { mine.wait() }
                mine.signal()
            }
            return (
                [
                    {
                        for _ in 0..<200 {
                            held.wait()
                            subject.send(1)
                            done.signal()
                        }
                    },
                    {
                        for _ in 0..<200 {
                            mine.wait()
                            held.signal()
                            inside.wait()
                            meet { subject.send(2) }
                            mine.signal()
                            done.wait()
                        }
                    },
                ],
                {
                    #expect(sent.value == 400)
                    token.cancel()
                }
            )
        }
    }

    @Test func describesItselfAndSendsTheOneVoid() {
        let subject = PublishSubject<Void, Never>()
        let probe = Probe(subject, .unbounded)
        subject.send()
        #expect(probe.elements.count == 1 && "\(subject)" == "PublishSubject<(), Never>")
    }
}
