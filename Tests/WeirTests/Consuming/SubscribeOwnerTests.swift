import Testing
import Weir
import WeirTestSupport
import WeirTesting

@MainActor private final class Panel {
    let heard = Log()
    let bell: Bell
    init(_ bell: Bell) { self.bell = bell }
    func show(_ number: Int) {
        MainActor.assertIsolated()
        heard.add("\(number)")
        bell.ring()
    }
}

private final class Plain: Sendable {
    let heard = Log()
    func take(_ number: Int) { heard.add("\(number)") }
}

private final class Owner: SubscriptionOwner, Sendable {
    let subscriptions = SubscriptionBag()
    let heard: Log
    init(_ heard: Log) { self.heard = heard }
    func take(_ number: Int) { heard.add("\(number)") }
}

@MainActor private final class MainOwner: SubscriptionOwner {
    nonisolated let subscriptions = SubscriptionBag()
    let heard = Log()
    let bell = Bell()
    func take(_ number: Int) {
        heard.add("\(number)")
        bell.ring()
    }
}

@Suite struct SubscribeOwnerTests {
    @Test func anOwnerHearsUntilItGoes() {
        let upstream = PublishSubject<Int, Never>()
        let heard = Log()
        var owner: Plain? = Plain()
        let subscription = owner.map {
            upstream.subscribe($0) { owner, number in heard.add("\(number)\(owner.heard)") }
        }
        upstream.send(1)
        #expect("\(subscription.map { "\($0)" } ?? "")" == "OwnerSubscription(active)")
        owner = nil
        upstream.send(2)
        #expect("\(heard)" == "1" && subscription?.isFinished == true)
    }

    @Test func theEndReachesTheOwner() {
        let heard = Log()
        let owner = Plain()
        TestSource<Int, Boom>([1], .fail(Boom())).observable.subscribe(owner) { _, number in
            heard.add("\(number)")
        } done: { _, end in
            heard.add("\(end)")
        }
        #expect("\(heard)" == "1, failed(boom)")
    }

    @Test func aMethodOfAPlainClassRunsWhereTheStreamEmits() {
        let owner = Plain()
        let subscription = Observable<Int, Never>([1, 2]).subscribe(owner, with: Plain.take)
        #expect("\(owner.heard)" == "1, 2" && subscription.isFinished)
    }

    @Test func cancelStops() {
        let subject = PublishSubject<Int, Never>()
        let owner = Plain()
        let subscription = subject.subscribe(owner, with: Plain.take)
        subject.send(1)
        subscription.cancel()
        subject.send(2)
        #expect("\(owner.heard)" == "1" && subscription.isFinished)
    }

    @Test func anOwnersDeathIsNoticedAtTheNextElementAndCancelsUpstream() {
        let subject = PublishSubject<Int, Never>()
        let cancels = Log()
        let stream = Observable<Int, Never> { observer in
            let inner = subject.observable.attach(observer)
            return Subscription(
                request: inner.request,
                cancel: {
                    cancels.add("cancel")
                    inner.cancel()
                })
        }
        var owner: Plain? = Plain()
        owner.map { _ = stream.subscribe($0, with: Plain.take) }
        owner = nil
        #expect(cancels.all == [])
        subject.send(1)
        #expect("\(cancels)" == "cancel")
    }

    @Test func aSubscriptionOwnerEndsUpstreamInItsDeinit() {
        let upstream = TestSource<Int, Never>([1], .silence)
        let heard = Log()
        var owner: Owner? = Owner(heard)
        owner.map { _ = upstream.observable.subscribe($0, with: Owner.take) }
        #expect(upstream.cancels == 0 && "\(heard)" == "1" && owner?.subscriptions.count == 1)
        owner = nil
        #expect(upstream.cancels == 1)
    }

    @Test func whatBelongsToTheDeadGoesWithTheSubscriptionsOfOthers() {
        let upstream = TestSource<Int, Never>([1], .silence)
        for _ in 0..<10 { upstream.observable.subscribe(Plain(), with: Plain.take) }
        #expect(upstream.cancels < 10)
        let other = Plain()
        let subject = PublishSubject<Int, Never>()
        // Other tests subscribe meanwhile: what they add is looked at, too.
        for _ in 0..<100_000 where upstream.cancels < 10 { subject.subscribe(other, with: Plain.take).cancel() }
        #expect(upstream.cancels == 10)
    }

    @Test @MainActor func aMainActorMethodRunsThereInOrderWhicheverOfTheThreadsSends() async {
        let subject = PublishSubject<Int, Never>()
        let bell = Bell()
        let panel = Panel(bell)
        subject.subscribe(panel, with: Panel.show)
        let thread = TestThread { for number in 0..<1_000 { subject.send(number) } }
        await bell.wait(1_000)
        thread.join()
        #expect(panel.heard.all == (0..<1_000).map { "\($0)" })
    }

    @Test @MainActor func aMainActorOwnersDeathStopsDelivery() async {
        let subject = PublishSubject<Int, Never>()
        let bell = Bell()
        var panel: Panel? = Panel(bell)
        let heard = panel?.heard
        weak let gone = panel
        panel.map { _ = subject.subscribe($0, with: Panel.show) }
        subject.send(1)
        await bell.wait(1)
        subject.send(2)
        panel = nil
        // A subscription of another test that looks at this owner holds it for a moment.
        spin(atMost: .seconds(60)) { gone == nil }
        #expect(gone == nil)
        subject.send(3)
        let other = Panel(bell)
        subject.subscribe(other, with: Panel.show)
        subject.send(4)
        await bell.wait(2)
        #expect(heard?.all == ["1"] && other.heard.all == ["4"])
    }

    @Test @MainActor func aFinishedStreamStillReachesASubscriptionOwnerOnItsActor() async {
        let owner = MainOwner()
        Observable<Int, Never>([1, 2]).subscribe(owner, with: MainOwner.take)
        Observable<Int, Never>([3]).subscribe(owner, with: MainOwner.take)
        await owner.bell.wait(3)
        #expect(owner.heard.all.sorted() == ["1", "2", "3"] && owner.heard.all.filter { $0 < "3" } == ["1", "2"])
    }
}
