import Testing
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
}
