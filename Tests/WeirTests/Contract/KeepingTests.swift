import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// What the token of a chain keeps, through every operator of the registry: a cold upstream alive, a subject never.
@Suite(.serialized, .ownThread) struct KeepingTests {
    static let operators = OperatorRegistry.entries.flatMap(\.forms).filter(\.isTransformer)
    let clock = VirtualClock()
    let upstreams = Leaks()
    let handlers = Leaks()

    private func subscribe(_ form: OperatorUnderTest, over up: Observable<Int, TestFailure>) -> SubscriptionToken {
        let canary = handlers.canary()
        return form.make(over: up, on: clock).stream.subscribe({ _ in _ = canary }, done: { _ in _ = canary })
    }
    /// At once, but for what goes through the pool.
    private func wait(_ form: OperatorUnderTest, until isTrue: () -> Bool) {
        clock.advance(by: .seconds(1))
        spin(atMost: form.traits.contains(.runsOnPool) ? .seconds(60) : .zero, until: isTrue)
    }

    @Test(arguments: operators) func aTokenKeepsAColdUpstreamUntilItCancels(form: OperatorUnderTest) {
        let observers = Guarded<[Observer<Int, TestFailure>]>([])
        var token: SubscriptionToken? = subscribe(
            form,
            over: Observable { [upstreams] down in
                let canary = upstreams.canary()
                observers.withLock { $0.append(down) }
                return Subscription(request: { _ in _ = canary }, cancel: { _ = canary })
            })
        clock.advance(by: .seconds(1))
        #expect(upstreams.alive > 0 && upstreams.alive == upstreams.made && token?.isFinished == false)
        token?.cancel()
        let dropped = observers.withLock { observers in
            let all = observers
            observers = []
            return all
        }
        _ = consume dropped
        wait(form) { handlers.alive == 0 }
        #expect(handlers.alive == 0, "after the cancel: \(handlers)")
        token = nil
        wait(form) { upstreams.alive == 0 }
        #expect(upstreams.alive == 0, "without the token: \(upstreams)")
    }

    /// But where a handler names the subject.
    @Test(arguments: operators.filter { !OperatorRegistry.holdsUpstream($0) }) func aTokenKeepsNoSubject(
        form: OperatorUnderTest
    ) {
        weak var subject: PublishSubject<Int, TestFailure>?
        func listen() -> SubscriptionToken {
            let new = PublishSubject<Int, TestFailure>()
            subject = new
            return subscribe(form, over: new.observable)
        }
        let token = listen()
        #expect(subject == nil)
        wait(form) { token.isFinished }
        #expect(token.isFinished && handlers.alive == 0, "\(handlers)")
    }
}
