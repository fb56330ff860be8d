import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct CreateTests {
    @Test func sendsAndFinishes() {
        let stream = Observable<Int, Boom>.create { emitter in
            emitter.send(1)
            emitter.send(2)
            emitter.finish()
            emitter.send(3)
            emitter.fail(Boom())
        }
        #expect(Probe(stream, .unbounded).text == "1 2 |" && Probe(stream, .unbounded).text == "1 2 |")
    }

    @Test func theProducerRunsAtTheFirstRequestOnce() {
        let runs = Counter()
        let probe = Probe(Observable<Int, Never>.create { _ in runs.add() })
        #expect(runs.value == 0)
        probe.request(1)
        probe.request(1)
        #expect(runs.value == 1)
    }

    @Test func whatNobodyAskedForWaitsAndTheEndBehindIt() {
        let ends = Log()
        let probe = Probe(
            Observable<Int, Boom>.create { emitter in
                emitter.onTermination { ends.add("teardown") }
                for number in 1...3 { emitter.send(number) }
                emitter.fail(Boom())
            }, 1)
        #expect(probe.text == "1" && "\(ends)" == "teardown")
        probe.request(1)
        #expect(probe.text == "1 2")
        probe.request(1)
        #expect(probe.text == "1 2 3 #boom" && probe.isReleased)
    }

    @Test func teardownRunsOnceInOrderAtCancel() {
        let log = Log()
        let probe = Probe(
            Observable<Int, Never>.create { emitter in
                emitter.onTermination { log.add("a") }
                emitter.onTermination { log.add("b") }
            }, 1)
        probe.cancel()
        probe.cancel()
        #expect("\(log)" == "a, b" && probe.isReleased)
    }

    @Test func aTeardownThatComesLateRunsAtOnce() {
        let log = Log()
        let probe = Probe(
            Observable<Int, Never>.create { emitter in
                emitter.send(1)
                log.add("\(emitter)")
                emitter.onTermination { log.add("late") }
                emitter.send(2)
            }, 1, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "1" && "\(log)" == "Emitter(over), late")
    }

    @Test func cancelBeforeTheRequestRunsNoProducer() {
        let runs = Counter()
        let probe = Probe(Observable<Int, Never>.create { _ in runs.add() })
        probe.cancel()
        probe.request(1)
        #expect(runs.value == 0 && probe.isReleased)
    }

    @Test func manyFromInsideTheHandlerNeedNoStack() {
        onThread(stack: 128) {
            let kept = Guarded<Emitter<Int, Never>?>(nil)
            let probe = Probe(
                Observable<Int, Never>.create { emitter in
                    kept.withLock { $0 = emitter }
                    emitter.send(1)
                }, .unbounded,
                onNext: { _, element in if element < 100_000 { kept.withLock { $0 }?.send(element + 1) } })
            #expect(probe.elements == Array(1...100_000) && probe.faults == ProbeFaults())
        }
    }

    @Test func sendersOnTwoThreadsAreSerialised() {
        race("two threads send into one emitter", rounds: 5) { meet in
            let place = Guarded<Emitter<Int, Never>?>(nil)
            let probe = Probe(
                Observable<Int, Never>.create { emitter in place.withLock { $0 = emitter } }, .unbounded)
            let emitter = place.withLock { $0 }
            let bodies = [0, 100_000].map { base -> @Sendable () -> Void in
                { for number in 0..<5_000 { meet { emitter?.send(base + number) } } }
            }
            return (
                bodies,
                {
                    #expect(probe.faults == ProbeFaults())
                    #expect(probe.elements.filter { $0 < 100_000 } == Array(0..<5_000))
                    #expect(probe.elements.filter { $0 >= 100_000 } == Array(100_000..<105_000))
                }
            )
        }
    }

    @Test func whatTheProducerHoldsGoesWithTheStream() {
        let canary = WeakCanary()
        let emitters = Guarded<[Emitter<Int, Never>]>([])
        let probe = Probe(
            Observable<Int, Never>.create { emitter in
                let held = Canary()
                canary.set(held)
                emitter.onTermination { _ = held }
                emitters.withLock { $0.append(emitter) }
            }, .unbounded)
        #expect(canary.isAlive)
        probe.release()
        #expect(!canary.isAlive && emitters.withLock { $0 }.allSatisfy { $0.isOver })
    }
}
