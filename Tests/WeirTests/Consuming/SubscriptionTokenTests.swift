import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct SubscriptionTokenTests {
    @Test func aBagKeepsTokensAndCancelsThemTogether() {
        let upstreams = (0..<3).map { _ in TestSource<Int, Never>([], .silence) }
        let bag = SubscriptionBag()
        for upstream in upstreams { upstream.observable.subscribe { _ in }.store(in: bag) }
        #expect(bag.count == 3 && "\(bag)" == "SubscriptionBag(3 active)")
        bag.cancel()
        #expect(bag.count == 0 && upstreams.allSatisfy { $0.cancels == 1 })
        upstreams[0].observable.subscribe { _ in }.store(in: bag)
        #expect(bag.count == 1)
    }

    @Test func aBagThatIsReleasedCancels() {
        let upstream = TestSource<Int, Never>([], .silence)
        do {
            let bag = SubscriptionBag()
            upstream.observable.subscribe { _ in }.store(in: bag)
            #expect(upstream.cancels == 0)
        }
        #expect(upstream.cancels == 1)
    }

    @Test func aBagSweepsWhatIsFinished() {
        let bag = SubscriptionBag()
        let alive = Counter()
        for _ in 0..<10_000 {
            let subject = PublishSubject<Int, Never>()
            alive.add()
            let held = Canary { alive.add(-1) }
            // The teardown keeps the canary for as long as the token keeps its source.
            let stream = Observable<Int, Never> { observer in
                let inner = subject.observable.attach(observer)
                return Subscription(
                    request: inner.request,
                    cancel: {
                        _ = held
                        inner.cancel()
                    })
            }
            stream.subscribe { _ in }.store(in: bag)
            subject.send(completion: .finished)
        }
        #expect(bag.count == 0 && alive.value <= 16)
        Observable<Int, Never>([1]).subscribe { _ in }.store(in: bag)
        #expect(bag.count == 0)
    }

    @Test func theTokenOfASubjectThatIsGoneIsFinishedAndItsBagDropsIt() {
        let bag = SubscriptionBag()
        let alive = Counter()
        for number in 0..<10_000 {
            let subject = PublishSubject<Int, Never>()
            alive.add()
            let held = Canary { alive.add(-1) }
            let stream = Observable<Int, Never> { observer in
                let inner = subject.observable.map { $0 }.filter { _ in true }.attach(observer)
                return Subscription(
                    request: inner.request,
                    cancel: {
                        _ = held
                        inner.cancel()
                    })
            }
            stream.subscribe { _ in }.store(in: bag)
            if number == 0 { #expect(bag.count == 1) }
        }
        #expect(bag.count == 0 && alive.value <= 16)
    }

    @Test func everyKindOfTokenNoticesThatItsSubjectIsGone() async {
        final class Owner: SubscriptionOwner, Sendable {
            let subscriptions = SubscriptionBag()
            func take(_ number: Int) {}
            @MainActor func show(_ number: Int) {}
        }
        let owner = Owner()
        let bag = SubscriptionBag()
        func subscribe() -> [OwnerSubscription] {
            let subject = PublishSubject<Int, Never>()
            subject.subscribe { _ in
            } done: { _ in
            }.store(in: bag)
            let handles = [
                subject.subscribe(owner) { _, _ in }, subject.subscribe(owner, with: Owner.take),
                subject.subscribe(owner, with: Owner.show),
            ]
            #expect(bag.count == 1 && owner.subscriptions.count == 3 && handles.allSatisfy { !$0.isFinished })
            return handles
        }
        @MainActor func observe() {
            let subject = PublishSubject<Int, Never>()
            subject.observe { _ in }.store(in: bag)
            #expect(bag.count == 1)
        }
        let handles = subscribe()
        #expect(bag.count == 0 && handles[0].isFinished && handles[1].isFinished)
        await observe()
        var turns = 0
        while (bag.count > 0 || owner.subscriptions.count > 0) && turns < 100_000 {
            turns += 1
            await Task.yield()
        }
        #expect(bag.count == 0 && owner.subscriptions.count == 0 && handles[2].isFinished)
    }

    @Test func aHandlerThatEmptiesItsBag() {
        let subject = PublishSubject<Int, Never>()
        let bag = SubscriptionBag()
        let log = Log()
        for name in ["a", "b"] {
            subject.subscribe { _ in
                log.add(name)
                bag.cancel()
            }.store(in: bag)
        }
        subject.send(1)
        subject.send(2)
        #expect("\(log)" == "a")
    }

    @Test func aCancelOnOneOfTwoThreadsEndsTheOthersDelivery() {
        race("cancel against send") { meet in
            let subject = PublishSubject<Int, Never>()
            let heard = Counter()
            let token = subject.subscribe { _ in heard.add() }
            return (
                [
                    { for number in 0..<300 { meet { subject.send(number) } } },
                    {
                        spin { heard.value > 0 }
                        meet { token.cancel() }
                    },
                ],
                {
                    let before = heard.value
                    subject.send(1)
                    #expect(heard.value == before)
                }
            )
        }
    }
}
