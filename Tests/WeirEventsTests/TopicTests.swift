import Testing
import WeirEvents
import WeirTesting

// The contracts of topics: one order for all, re-entrancy, threads, owners.

private final class Log<Entry: Sendable>: Sendable {
    private let entries = Guarded<[Entry]>([])
    func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
    var all: [Entry] { entries.withLock { $0 } }
}

private final class Owner: Sendable {
    let name: String
    let log: Log<String>
    init(_ name: String, _ log: Log<String>) {
        self.name = name
        self.log = log
    }
    func hear(_ event: Int) { log.add("\(name)\(event)") }
}

@Suite struct TopicTests {
    @Test func deliveryIsInSubscriptionOrder() {
        let topic = Topic<Int>("Test.numbers")
        let log = Log<String>()
        let owners = (0..<20).map { Owner("o\($0):", log) }
        for owner in owners { topic.events.subscribe(owner, with: Owner.hear) }
        topic.publish(7)
        #expect(log.all == (0..<20).map { "o\($0):7" })
    }

    @Test func oneOwnerMaySubscribeSeveralTimes() {
        let topic = Topic<Int>()
        let log = Log<String>()
        let owner = Owner("a", log)
        for _ in 0..<3 { topic.events.subscribe(owner, with: Owner.hear) }
        topic.publish(1)
        #expect(log.all == ["a1", "a1", "a1"])
    }

    @Test func aPublishFromInsideAHandlerWaitsUntilTheEventInHandHasReachedEveryone() {
        let topic = Topic<Int>()
        let log = Log<String>()
        let first = topic.listen { [topic] event in
            log.add("first \(event)")
            if event < 3 { topic.publish(event + 1) }
        }
        let second = topic.listen { log.add("second \($0)") }
        topic.publish(1)
        #expect(log.all == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
        first.cancel()
        second.cancel()
    }

    @Test func whoIsCancelledDuringADeliveryIsNotCalledAndANewcomerGetsTheNextEvent() {
        let topic = Topic<Int>()
        let log = Log<String>()
        let bag = SubscriptionBag()
        let victim = Guarded<SubscriptionToken?>(nil)
        topic.listen { [topic] event in
            log.add("killer \(event)")
            victim.withLock { $0 }?.cancel()
            if event == 1 { topic.listen { log.add("newcomer \($0)") }.store(in: bag) }
        }.store(in: bag)
        victim.withLock { $0 = topic.listen { log.add("victim \($0)") } }
        topic.publish(1)
        topic.publish(2)
        #expect(log.all == ["killer 1", "killer 2", "newcomer 2"])
        bag.cancel()
    }

    @Test func mergingATopicWithItsOwnImageGivesBoth() {
        let topic = Topic<Int>()
        let log = Log<Int>()
        let token = topic.events.merge(with: topic.events.map { $0 * 10 }).subscribe { log.add($0) }
        topic.publish(1)
        #expect(log.all == [1, 10])
        token.cancel()
    }

    @Test func anOwnerThatIsGoneHearsNothing() {
        let topic = Topic<Int>()
        let log = Log<String>()
        var owner: Owner? = Owner("a", log)
        weak let watched = owner
        if let owner { topic.events.subscribe(owner, with: Owner.hear) }
        topic.publish(1)
        owner = nil
        #expect(watched == nil, "the topic must not keep its owners")
        topic.publish(2)
        #expect(log.all == ["a1"])
    }

    @Test func droppingATopicFreesItsSubscribers() {
        var topic: Topic<Int>? = Topic()
        var captured: Log<Int>? = Log()
        weak let watched = captured
        let tokens = (0..<100).compactMap { _ in topic?.listen { [captured] in captured?.add($0) } }
        topic?.publish(1)
        #expect(captured?.all.count == 100)
        captured = nil
        #expect(watched != nil)
        topic = nil
        #expect(watched == nil, "the handlers must go with the topic, though the tokens are still held")
        #expect(tokens.count == 100)
    }

    @MainActor @Test func aMainActorMethodRunsOnTheMainActorWhoeverPublishes() async {
        let topic = Topic<Int>()
        let panel = Panel()
        topic.events.subscribe(panel, with: Panel.show)
        await Task.detached { for event in 1...100 { topic.publish(event) } }.value
        var iterator = panel.seen.values.makeAsyncIterator()
        while await iterator.next() != 100 {}
        #expect(panel.events == Array(1...100))
    }

    @Test func aVoidTopicPublishesWithoutAValue() {
        let topic = Topic<Void>("Door.bell")
        let log = Log<String>()
        let token = topic.listen { log.add("ring") }
        topic.publish()
        topic.publish()
        #expect(log.all == ["ring", "ring"])
        #expect(topic.label == "Door.bell")
        token.cancel()
    }
}

@MainActor private final class Panel {
    var events: [Int] = []
    let seen = BehaviorSubject<Int, Never>(0)
    func show(_ event: Int) {
        MainActor.preconditionIsolated()
        events.append(event)
        seen.send(event)
    }
}
