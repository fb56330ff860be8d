import Testing
import WeirTestSupport
import WeirTesting

@testable import Weir

@Suite struct HubTests {
    @Test(arguments: [true, false]) func theHubOfACreatedStreamGoesWithItsSubscription(ends: Bool) {
        weak var hub: Hub<Int, Never>?
        do {
            let emitter = Guarded<Emitter<Int, Never>?>(nil)
            let stream = Observable<Int, Never>.create { new in emitter.withLock { $0 = new } }
            let token = stream.subscribe { _ in }
            hub = emitter.withLock { $0 }?.hub
            #expect(hub != nil)
            if ends { emitter.withLock { $0 }?.finish() }
            token.cancel()
            emitter.withLock { $0 = nil }
        }
        #expect(hub == nil)
    }

    @Test func aSubjectsHubGoesWithIt() {
        weak var hub: Hub<Int, Never>?
        do {
            let subject = PublishSubject<Int, Never>()
            hub = subject.hub
            let token = subject.subscribe { _ in }
            subject.send(1)
            token.cancel()
        }
        #expect(hub == nil)
    }

    @Test func whoGoesBeforeItCouldJoinLeavesTheOthersHeard() {
        let subject = PublishSubject<Int, Never>()
        let listener = Probe(
            subject, .unbounded,
            onNext: { _, number in if number == 1 { subject.subscribe { _ in }.cancel() } })
        let unheard = Log()
        for number in 1...3 { subject.send(number) { unheard.add("\($0)") } }
        #expect(listener.text == "1 2 3" && unheard.all == [])
        listener.release()
        subject.send(4) { unheard.add("\($0)") }
        #expect("\(unheard)" == "4")
    }

    enum Order: String, CaseIterable { case frontToBack, backToFront, shuffled }

    /// All that leaving costs is the sweeps, and each is seen by the list that it makes shorter.
    @Test(arguments: Order.allCases) func aHundredThousandLeaveWithFewLooksAtTheList(order: Order) {
        let count = 100_000
        let subject = PublishSubject<Int, Never>()
        let heard = Counter()
        var tokens: [SubscriptionToken] = []
        for _ in 0..<count { tokens.append(subject.subscribe { heard.add($0) }) }
        #expect(subject.hub.entries.count == count && subject.hub.dead == 0, "joining is one entry more")
        var random = Seeded(1)
        switch order {
        case .frontToBack: tokens.reverse()
        case .backToFront: break
        case .shuffled: tokens.shuffle(using: &random)
        }
        var looks = 0
        var surplus = 0
        while let token = tokens.popLast() {
            let before = subject.hub.entries.count
            token.cancel()
            let after = subject.hub.entries.count
            if after < before { looks += before }
            // What a send looks at, beyond those that listen.
            surplus = max(surplus, after - 2 * tokens.count)
            if tokens.count.isMultiple(of: 25_000) {
                let before = heard.value
                subject.send(1)
                #expect(heard.value - before == tokens.count)
            }
        }
        #expect(looks <= 2 * count + 100, "\(looks) looks at entries for \(count) that leave")
        #expect(surplus <= 16, "a send looks at \(surplus) dead entries more than there are subscribers")
    }
}
