import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct CatchTests {
    @Test func rulesOfTheSecond() {
        expectRules("1 2 3 |") { up in Observable<Int, Bang>.fail(Bang()).catch { _ in up } }
    }

    struct Bang: Error, Equatable {}

    @Test func goesOnWithAnotherStream() {
        let probe = Listener(
            Upstream<Int, Boom>([1], .fail(Boom())).observable.catch { _ in Observable<Int, Never>.just(9) }, .unbounded
        )
        #expect(probe.text == "1 9 |" && !probe.canary.isAlive)
    }

    @Test func aStreamThatFinishesIsLeftAlone() {
        let second = Upstream<Int, Boom>([9])
        let probe = Listener(Observable<Int, Boom>([1, 2]).catch { _ in second.observable }, .unbounded)
        #expect(probe.text == "1 2 |" && second.attaches == 0)
    }

    @Test func theOtherStreamGetsWhatIsLeftOfTheDemand() {
        let second = Upstream<Int, Never>([7, 8, 9])
        let probe = Listener(Upstream<Int, Boom>([1], .fail(Boom())).observable.catch { _ in second.observable }, 2)
        #expect(probe.text == "1 7" && "\(second.log)" == "attach, request 1")
        probe.request(2)
        #expect(probe.text == "1 7 8 9 |")
    }

    @Test func theOtherFailurePasses() {
        let probe = Listener(Observable<Int, Boom>.fail(Boom()).catch { _ in Observable<Int, Bang>.fail(Bang()) }, 1)
        #expect(probe.end?.failure == Bang())
    }

    @Test func theHandlerMayEndItWithAnotherFailure() {
        let stream = Observable<Int, Boom>.fail(Boom(code: 3)).catch { error in
            Observable<Int, Boom>.fail(Boom(code: error.code + 1))
        }
        #expect(Listener(stream, 1).text == "#boom4")
    }

    @Test func cancelReachesTheOneThatRuns() {
        let first = Upstream<Int, Boom>([], .silence)
        let second = Upstream<Int, Boom>([1], .silence)
        let calm = Listener(first.observable.catch { _ in second.observable }, 1)
        calm.release()
        #expect(first.cancels == 1 && second.attaches == 0 && !calm.canary.isAlive)
        let broken = Listener(Observable<Int, Boom>.fail(Boom()).catch { _ in second.observable }, 1)
        broken.release()
        #expect(second.cancels == 1 && !broken.canary.isAlive)
    }

    @Test func cancelInsideTheHandlerOfTheFailure() {
        let second = Upstream<Int, Never>([9])
        let subject = PublishSubject<Int, Boom>()
        let place = Guarded<Listener<Int, Never>?>(nil)
        let probe = Listener(
            subject.catch { _ in
                place.withLock { $0 }?.cancel()
                return second.observable
            }, .unbounded)
        place.withLock { $0 = probe }
        subject.send(completion: .failed(Boom()))
        #expect(probe.text == "" && second.attaches == 0 && !probe.canary.isAlive)
        place.withLock { $0 = nil }
    }

    @Test func manyFailuresOneAfterTheOther() {
        onThread {
            @Sendable func attempt(_ number: Int) -> Observable<Int, Never> {
                Observable<Int, Boom>.fail(Boom()).catch { _ in number == 0 ? .just(0) : attempt(number - 1) }
            }
            #expect(Listener(attempt(100), 1).text == "0 |")
        }
    }
}
