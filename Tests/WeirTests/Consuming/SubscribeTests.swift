import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct SubscribeTests {
    @Test func asksForEverythingAndHearsTheEnd() {
        let upstream = TestSource<Int, Boom>([1, 2], .fail(Boom()))
        let log = Log()
        let token = upstream.observable.subscribe {
            log.add("\($0)")
        } done: {
            log.add("\($0)")
        }
        #expect("\(log)" == "1, 2, failed(boom)" && upstream.calls == "attach, request unbounded")
        #expect(token.isFinished && "\(token)" == "SubscriptionToken(finished)")
    }

    @Test func aTokenThatIsReleasedCancels() {
        let upstream = TestSource<Int, Never>([1], .silence)
        let log = Log()
        var token: SubscriptionToken? = upstream.observable.subscribe { log.add("\($0)") }
        #expect("\(token.map { "\($0)" } ?? "")" == "SubscriptionToken(active)")
        token = nil
        #expect(upstream.cancels == 1 && "\(log)" == "1")
    }

    @Test func handlersAreFreedAtTheEndThoughTheTokenLives() {
        let subject = PublishSubject<Int, Never>()
        let canary = WeakCanary()
        func subscribe() -> SubscriptionToken {
            let held = Canary()
            canary.set(held)
            return subject.subscribe { _ in _ = held }
        }
        let ended = subscribe()
        subject.send(1)
        #expect(canary.isAlive)
        subject.send(completion: .finished)
        #expect(!canary.isAlive && ended.isFinished)
    }

    @Test func handlersAreFreedAtCancel() {
        let subject = PublishSubject<Int, Never>()
        let canary = WeakCanary()
        func subscribe() -> SubscriptionToken {
            let held = Canary()
            canary.set(held)
            return subject.subscribe { _ in _ = held }
        }
        let token = subscribe()
        token.cancel()
        #expect(!canary.isAlive && token.isFinished)
        token.cancel()
    }

    @Test func releasingTheTokenInsideTheHandlerStops() {
        let subject = PublishSubject<Int, Never>()
        let place = Guarded<SubscriptionToken?>(nil)
        let log = Log()
        func subscribe() {
            let token = subject.subscribe { element in
                log.add("\(element)")
                if element < 5 { subject.send(element + 1) }
                let released = place.withLock { place in
                    let token = place
                    place = nil
                    return token
                }
                _ = released
            }
            place.withLock { $0 = token }
        }
        subscribe()
        subject.send(1)
        #expect("\(log)" == "1")
    }
}
