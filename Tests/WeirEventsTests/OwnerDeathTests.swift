import Testing
import WeirTestSupport
import WeirTesting

@testable import WeirEvents

// What belongs to the dead goes without an event, too: at the next subscribe, or where a count is read.

private final class Owner: Sendable {
    let leaks: Leaks.Canary?
    init(_ leaks: Leaks? = nil) { self.leaks = leaks?.canary() }
    func hear(_: Int) {}
    func same(_ event: Int) -> Int { event }
}

private final class KeptOwner: SubscriptionOwner, Sendable {
    let subscriptions = SubscriptionBag()
    func hear(_: Int) {}
}

/// A stream that never says anything, and counts who has left it.
private func silence(_ left: Leavers) -> Observable<Int, Never> {
    Observable { observer in
        let silent = Observable<Int, Never>.never().attach(observer)
        return Subscription(
            request: silent.request,
            cancel: {
                left.count.add()
                silent.cancel()
            })
    }
}
extension Leaks.Canary {
    fileprivate func pass(_ event: Int) -> Int { event }
}

private final class Leavers: Sendable { let count = Tally() }

@Suite(.ownThread) struct OwnerDeathTests {
    @Test func contract7TenThousandOwnersComeAndGoAndLeaveNothing() {
        let topic = Topic<Int>("Test.crowd")
        let (owners, handlers) = (Leaks(), Leaks())
        var most = 0
        for _ in 0..<10_000 {
            let (owner, canary) = (Owner(owners), handlers.canary())
            topic.events.map { [canary] event in canary.pass(event) }.subscribe(owner, with: Owner.hear)
            most = max(most, topic.roster.listed)
        }
        #expect(most <= 1 + 33, "each subscribe must look at two old entries")
        #expect(soon { topic.subscriberCount + topic.roster.listed + owners.alive + handlers.alive == 0 })
    }

    @Test(arguments: [0, 1, 10, 500]) func contract7TheDeadGoAndTheLivingStay(living: Int) {
        let topic = Topic<Int>("Test.few")
        let handlers = Leaks()
        let steady = (0..<living).map { _ in Owner() }
        for owner in steady { topic.events.subscribe(owner, with: Owner.hear) }
        var random = Seeded(7)
        for _ in 0..<5_000 {
            let (owner, canary) = (Owner(), handlers.canary())
            // Through a stream that says nothing: only other subscriptions can notice.
            topic.events.map { [canary] event in canary.pass(event) }.subscribe(owner, with: Owner.hear)
            if Int.random(in: 0..<50, using: &random) == 0 {
                for owner in steady.prefix(3) { topic.events.subscribe(owner, with: Owner.hear).cancel() }
            }
        }
        // How many are there meanwhile is for `SweptListTests`: here other tests subscribe at the same time.
        #expect(soon { topic.subscriberCount == living && handlers.alive == 0 })
        withExtendedLifetime(steady) {}
    }

    @Test func contract7ASubscriptionOwnerLeavesAtOnce() {
        let topic = Topic<Int>("Test.kept")
        for _ in 0..<10_000 { topic.events.subscribe(KeptOwner(), with: KeptOwner.hear) }
        #expect(topic.roster.listed <= 3 && topic.subscriberCount == 0)
    }

    @Test func aChainThatNeverSaysAnythingIsFreedByTheSubscriptionsOfOthers() async {
        let left = Leavers()
        let owners = Leaks()
        let other = Owner()
        let topic = Topic<Int>("Test.other")
        for _ in 0..<100 { silence(left).subscribe(Owner(owners)) { _, _ in } }
        #expect(soon { owners.alive == 0 })
        // Others may sweep, too, and what they add is looked at as well: a few turns are enough.
        for _ in 0..<100_000 where left.count.value < 100 {
            topic.events.subscribe(other, with: Owner.hear).cancel()
        }
        #expect(soon { left.count.value == 100 })
    }

    @MainActor @Test func bindingANeverIsFreedWithItsObject() {
        final class Model { var value = 0 }
        let left = Leavers()
        var model: Model? = Model()
        if let model { silence(left).bind(to: model, \.value) }
        model = nil
        _ = InformBureau.shared.graph
        // Reading the bureau notices the death.
        #expect(soon { left.count.value == 1 })
    }

    @Test func cancellingAnOwnerEndsAllItsEntriesOfOneTopic() {
        let (topic, other) = (Topic<Int>("Test.one"), Topic<Int>("Test.two"))
        let log = Notes()
        let (owner, stays) = (Owner(), Owner())
        topic.events.subscribe(owner) { _, event in log.add("a\(event)") }
        topic.events.map { $0 * 10 }.filter { $0 > 0 }.subscribe(owner) { _, event in log.add("b\(event)") }
        topic.events.merge(with: .never()).subscribe(owner) { _, event in log.add("c\(event)") }
        topic.events.subscribe(stays) { _, event in log.add("d\(event)") }
        other.events.subscribe(owner) { _, event in log.add("e\(event)") }
        topic.publish(1)
        #expect(topic.subscriberCount == 4)
        topic.cancel(owner)
        #expect(topic.subscriberCount == 1 && other.subscriberCount == 1)
        topic.publish(2)
        other.publish(3)
        #expect("\(log)" == "a1, b10, c1, d1, d2, e3")
    }

    @Test func theOwnerOfAWeakOperatorIsNoticedWithoutAnEvent() {
        let topic = Topic<Int>("Test.weakly")
        let bystander = Owner()
        var owner: Owner? = Owner()
        let token = owner.map { topic.events.weakly($0).map(Owner.same).subscribe { _ in } }
        #expect(topic.subscriberCount == 1)
        owner = nil
        _ = InformBureau.shared.graph
        #expect(soon { topic.subscriberCount == 0 && token?.isFinished == true })
        withExtendedLifetime(bystander) {}
    }

    @Test func ownersThatDieWhileThreadsSubscribeAndCountLeaveNothing() async {
        let topic = Topic<Int>("Test.race")
        let owners = Leaks()
        await race("owners that die while others subscribe and count", threads: 4, rounds: 1_000) { thread, round in
            let owner = Owner(owners)
            topic.events.subscribe(owner, with: Owner.hear)
            if thread == 0 && round % 7 == 0 { _ = topic.subscriberCount }
            if thread == 1 && round % 5 == 0 { topic.cancel(owner) }
            if thread == 2 && round % 3 == 0 { topic.publish(round) }
        }
        #expect(soon { topic.subscriberCount == 0 && topic.roster.listed == 0 && owners.alive == 0 })
    }
}
