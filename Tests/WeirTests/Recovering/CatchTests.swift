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
        let probe = Probe(
            TestSource<Int, Boom>([1], .fail(Boom())).observable.catch { _ in Observable<Int, Never>.just(9) },
            .unbounded
        )
        #expect(probe.text == "1 9 |" && probe.isReleased)
    }

    @Test func aStreamThatFinishesIsLeftAlone() {
        let second = TestSource<Int, Boom>([9], .finish)
        let probe = Probe(Observable<Int, Boom>([1, 2]).catch { _ in second.observable }, .unbounded)
        #expect(probe.text == "1 2 |" && second.attaches == 0)
    }

    @Test func theOtherStreamGetsWhatIsLeftOfTheDemand() {
        let second = TestSource<Int, Never>([7, 8, 9], .finish)
        let probe = Probe(TestSource<Int, Boom>([1], .fail(Boom())).observable.catch { _ in second.observable }, 2)
        #expect(probe.text == "1 7" && second.calls == "attach, request 1")
        probe.request(2)
        #expect(probe.text == "1 7 8 9 |")
    }

    @Test func theOtherFailurePasses() {
        let probe = Probe(Observable<Int, Boom>.fail(Boom()).catch { _ in Observable<Int, Bang>.fail(Bang()) }, 1)
        #expect(probe.end?.failure == Bang())
    }

    @Test func theHandlerMayEndItWithAnotherFailure() {
        let stream = Observable<Int, Boom>.fail(Boom(code: 3)).catch { error in
            Observable<Int, Boom>.fail(Boom(code: error.code + 1))
        }
        #expect(Probe(stream, 1).text == "#boom4")
    }

    @Test func cancelReachesTheOneThatRuns() {
        let first = TestSource<Int, Boom>([], .silence)
        let second = TestSource<Int, Boom>([1], .silence)
        let calm = Probe(first.observable.catch { _ in second.observable }, 1)
        calm.release()
        #expect(first.cancels == 1 && second.attaches == 0 && calm.isReleased)
        let broken = Probe(Observable<Int, Boom>.fail(Boom()).catch { _ in second.observable }, 1)
        broken.release()
        #expect(second.cancels == 1 && broken.isReleased)
    }

    @Test func cancelInsideTheHandlerOfTheFailure() {
        let second = TestSource<Int, Never>([9], .finish)
        let subject = PublishSubject<Int, Boom>()
        let place = Guarded<Probe<Int, Never>?>(nil)
        let probe = Probe(
            subject.catch { _ in
                place.withLock { $0 }?.cancel()
                return second.observable
            }, .unbounded)
        place.withLock { $0 = probe }
        subject.send(completion: .failed(Boom()))
        #expect(probe.text == "" && second.attaches == 0 && probe.isReleased)
        place.withLock { $0 = nil }
    }

    @Test func manyFailuresOneAfterTheOther() {
        onThread {
            @Sendable func attempt(_ number: Int) -> Observable<Int, Never> {
                Observable<Int, Boom>.fail(Boom()).catch { _ in number == 0 ? .just(0) : attempt(number - 1) }
            }
            #expect(Probe(attempt(100), 1).text == "0 |")
        }
    }
}
