import Testing
import Weir
import WeirTestSupport
import WeirTesting

@MainActor private final class Model {
    var numbers: [Int] = []
    var end: Completion<Boom>?
    let bell = Bell()
    func take(_ number: Int) {
        numbers.append(number)
        bell.ring()
    }
}

/// Not `Sendable`: it belongs to the main actor's region.
private final class Ledger {
    var numbers: [Int] = []
    var onEach: () -> Void = {}
}

private actor Keeper {
    var numbers: [Int] = []
    let bell = Bell()
    func listen(to stream: Observable<Int, Never>) {
        stream.observe(by: self) { me, number in
            me.numbers.append(number)
            me.bell.ring()
        }
    }
    func listenHere(to stream: Observable<Int, Never>) -> SubscriptionToken {
        stream.observe { number in
            self.numbers.append(number)
            self.bell.ring()
        }
    }
}

@Suite struct ObserveTests {
    @Test @MainActor func deliversOnTheMainActorInOrderWhereTwoThreadsMeet() async {
        let subject = PublishSubject<Int, Boom>()
        let model = Model()
        let token = subject.observe {
            MainActor.assertIsolated()
            model.take($0)
        } done: { end in
            model.end = end
            model.bell.ring()
        }
        let thread = TestThread {
            for number in 0..<1_000 { subject.send(number) }
            subject.send(completion: .failed(Boom()))
        }
        await model.bell.wait(1_001)
        thread.join()
        #expect(model.numbers == Array(0..<1_000) && model.end == .failed(Boom()) && token.isFinished)
    }

    @Test @MainActor func afterCancelNothingMoreIsDelivered() async {
        let subject = PublishSubject<Int, Never>()
        let model = Model()
        let token = subject.observe { model.take($0) }
        subject.send(1)
        token.cancel()
        let rest = subject.observe { _ in model.bell.ring() }
        subject.send(2)
        await model.bell.wait(1)
        #expect(model.numbers == [] && !rest.isFinished)
    }

    @Test @MainActor func cancelInsideTheHandlerStops() async {
        let subject = PublishSubject<Int, Never>()
        let model = Model()
        var token: SubscriptionToken?
        token = subject.observe {
            model.take($0)
            token?.cancel()
        }
        let rest = subject.observe { if $0 == 3 { model.bell.ring() } }
        for number in 1...3 { subject.send(number) }
        await model.bell.wait(2)
        #expect(model.numbers == [1] && !rest.isFinished)
    }

    @Test @MainActor func theTokenHoldsNoHandlers() async {
        let subject = PublishSubject<Int, Never>()
        let canary = WeakCanary()
        func observe() -> SubscriptionToken {
            let held = Canary()
            canary.set(held)
            return subject.observe { _ in _ = held }
        }
        let token = observe()
        #expect(canary.isAlive)
        token.cancel()
        #expect(!canary.isAlive && token.isFinished)
    }

    @Test @MainActor func whatAFinishedStreamSaidStillComesThoughTheTokenIsInABag() async {
        let bag = SubscriptionBag()
        let model = Model()
        for number in 0..<20 { Observable<Int, Never>([number]).observe { model.take($0) }.store(in: bag) }
        await model.bell.wait(20)
        #expect(model.numbers == Array(0..<20))
        Observable<Int, Never>([20]).observe { model.take($0) }.store(in: bag)
        await model.bell.wait(21)
        #expect(model.numbers.count == 21)
    }

    @Test @MainActor func anOwnerThatIsNotSendableHearsUntilItGoes() async {
        let subject = PublishSubject<Int, Never>()
        let bell = Bell()
        var ledger: Ledger? = Ledger()
        let seen = Counter()
        ledger.map {
            _ = subject.observe($0) { ledger, number in
                ledger.numbers.append(number)
                seen.add(number)
                bell.ring()
            }
        }
        subject.send(1)
        await bell.wait(1)
        #expect(ledger?.numbers == [1])
        ledger = nil
        subject.send(10)
        let rest = subject.observe { _ in bell.ring() }
        subject.send(100)
        await bell.wait(2)
        #expect(seen.value == 1 && !rest.isFinished)
    }

    @Test @MainActor func aMethodRunsOnItsActor() async {
        let model = Model()
        Observable<Int, Never>([1, 2]).observe(model, with: Model.take)
        await model.bell.wait(2)
        #expect(model.numbers == [1, 2])
    }

    @Test func anActorObservesByItself() async {
        let subject = PublishSubject<Int, Never>()
        var keeper: Keeper? = Keeper()
        weak let weakly = keeper
        await keeper?.listen(to: subject.observable)
        for number in 0..<100 { subject.send(number) }
        await keeper?.bell.wait(100)
        #expect(await keeper?.numbers == Array(0..<100))
        keeper = nil
        #expect(weakly == nil)
        subject.send(1)
    }

    @Test func anActorObservesInAClosure() async {
        let subject = PublishSubject<Int, Never>()
        let keeper = Keeper()
        let token = await keeper.listenHere(to: subject.observable)
        for number in 0..<100 { subject.send(number) }
        await keeper.bell.wait(100)
        #expect(await keeper.numbers == Array(0..<100))
        token.cancel()
    }
}
