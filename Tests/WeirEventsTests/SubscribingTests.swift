import Testing
import WeirEvents
import WeirTestSupport
import WeirTesting

// Every way to subscribe, and the operators of the old bus.

private final class Owner: Sendable {
    let log = Notes()
    func ring() { log.add("ring") }
    func hear(_ value: Int, _ signature: Signature?) {
        log.add("\(value) \(signature == nil ? "by nobody" : "signed")")
    }
    func hear(_ value: Int, isOwn: Bool) { log.add("\(value)\(isOwn ? " own" : "")") }
    func tenfold(_ value: Int) -> Int { value * 10 }
    func isSmall(_ value: Int) -> Bool { value < 30 }
    func text(_ value: Int) -> String? { value == 10 ? nil : "<\(value)>" }
}

@MainActor private final class Panel {
    var seen: [String] = []
    let bell = Bell()
    func ring() { note("ring") }
    func show(_ value: Int, _ isOwn: Bool) { note("\(value) \(isOwn)") }
    func double(_ value: Int) -> Int {
        MainActor.assertIsolated()
        return value * 2
    }
    private func note(_ text: String) {
        MainActor.assertIsolated()
        seen.append(text)
        bell.ring()
    }
}

@Suite struct SubscribingTests {
    @Test func aVoidTopicTakesMethodsWithoutAnArgument() {
        let bell = Topic<Void>("Door.bell")
        let owner = Owner()
        bell.events.subscribe(owner, with: Owner.ring)
        bell.events.subscribe(owner) { owner in owner.log.add("closure") }
        bell.publish()
        #expect("\(owner.log)" == "ring, closure")
    }

    @Test func aSignedTopicHandsTheSignatureBesideTheValue() {
        let topic = SignedTopic<Int>("Test.signed")
        let (owner, other) = (Owner(), Owner())
        topic.events.subscribe(owner, withSignature: Owner.hear(_:_:))
        topic.events.subscribe(owner, withIsOwn: Owner.hear(_:isOwn:))
        topic.events.subscribe(owner, signed: { $0.log.add("c\($1)\($2?.belongs(to: $0) == true)") })
        topic.events.subscribe(owner, isOwn: { $0.log.add("d\($1)\($2)") })
        topic.publish(1, signedBy: owner)
        topic.publish(2, signedBy: other)
        topic.publish(3)
        #expect(
            "\(owner.log)" == """
                1 signed, 1 own, c1true, d1true, 2 signed, 2, c2false, d2false, 3 by nobody, 3, c3false, d3false
                """)
    }

    @MainActor @Test func contract11MethodsOfTheMainActorRunThereInEveryForm() async {
        let (bell, topic) = (Topic<Void>("Door.bell"), SignedTopic<Int>("Test.panel"))
        let panel = Panel()
        bell.events.subscribe(panel, with: Panel.ring)
        topic.events.subscribe(panel, withIsOwn: Panel.show)
        let token = topic.events.unsigned.weakly(panel).map(Panel.double).subscribe { value in
            if value == 4 { bell.publish() }
        }
        await Task.detached {
            bell.publish()
            topic.publish(2, signedBy: panel)
        }.value
        await panel.bell.wait(3)
        #expect(panel.seen.sorted() == ["2 true", "ring", "ring"])
        token.cancel()
    }

    @Test func listeningForTheLifeOfATopicNeedsNoToken() {
        let source = Topic<Int>("Test.source")
        let log = Notes()
        var target: Topic<Int>? = Topic("Test.target")
        if let target { source.listen(forLifeOf: target) { log.add("\($0)") } }
        source.publish(1)
        target = nil
        source.publish(2)
        #expect("\(log)" == "1" && source.subscriberCount == 0)
    }

    @Test func weakOperatorsRunMethodsUntilTheirOwnerDies() {
        let topic = Topic<Int>("Test.weakly")
        let log = Notes()
        var owner: Owner? = Owner()
        weak let watched = owner
        let token = owner.map {
            topic.events.weakly($0).map(Owner.tenfold).filter(Owner.isSmall).compactMap(Owner.text)
                .subscribe({ log.add($0) }, done: { log.add("\($0)") })
        }
        for event in 1...3 { topic.publish(event) }
        owner = nil
        #expect(soon { watched == nil }, "a weak operator must not keep its owner")
        topic.publish(2)
        // Where another test's subscription notices the death first, the chain is cancelled, and nobody hears an end.
        #expect(soon { token?.isFinished == true && topic.subscriberCount == 0 })
        #expect(["<20>", "<20>, finished"].contains("\(log)"))
    }

    @Test func weakOperatorsTakeClosuresAndTheOtherWayRound() {
        let owner = Owner()
        let log = Notes()
        let some = Observable<Int, Never>(1...4).weakly(owner).filter(not: { (_, value: Int) in value == 2 })
        let tens = some.map { (owner, value: Int) in owner.tenfold(value) }.filter { (_, value: Int) in value > 10 }
        let token = tens.filter(not: Owner.isSmall)
            .compactMap { (_, value: Int) -> String? in value == 30 ? nil : "v\(value)" }
            .subscribe { log.add($0) }
        #expect("\(log)" == "v40" && token.isFinished)
    }

    @Test func theOperatorsOfTheOldBus() {
        let topic = Topic<Int>("Test.operators")
        let log = Notes()
        let token = topic.events.filter(not: { $0 == 2 }).interrupted { log.add("saw \($0)") }
            .void().listen { log.add("heard") }
        for event in 1...3 { topic.publish(event) }
        #expect("\(log)" == "saw 1, heard, saw 3, heard")
        token.cancel()
    }

    @Test func contract6ATopicMergedWithItsOwnImage() {
        let topic = Topic<Int>("Test.merge")
        let log = Notes()
        let token = Observable.merge([topic.events, topic.events.map { $0 * 10 }]).listen { log.add("\($0)") }
        topic.publish(1)
        #expect("\(log)" == "1, 10" && topic.subscriberCount == 2)
        token.cancel()
    }
}
