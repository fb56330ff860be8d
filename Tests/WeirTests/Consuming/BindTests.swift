import Testing
import Weir
import WeirTestSupport
import WeirTesting

@MainActor private final class Screen {
    @Observed var photos: [String] = []
    var title = "" {
        didSet {
            MainActor.assertIsolated()
            bell.ring()
        }
    }
    let bell = Bell()
    func bind(_ answers: Observable<[String], Never>, _ titles: Observable<String, Never>) {
        answers.bind(to: $photos)
        titles.bind(to: self, \.title)
    }
}

/// Not `Sendable`: it belongs to the actor that made it.
private final class Ledger {
    var number = 0
    var onSet: () -> Void = {}
}

private final class Safe: Sendable {
    private let stored = Guarded(0)
    let observed = Observed(wrappedValue: 0)
    var number: Int {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

@MainActor private final class Owning: SubscriptionOwner {
    nonisolated let subscriptions = SubscriptionBag()
    var number = 0
}

private actor Room {
    @Observed var number = 0
    let bell = Bell()
    func bind(_ stream: Observable<Int, Never>) -> Observed<Int>.Projection {
        stream.bind(to: $number)
        return $number
    }
}

@Suite(.ownThread) struct BindTests {
    @Test @MainActor func setsOnTheMainActorInOrderWhicheverOfTheThreadsSends() async {
        let answers = PublishSubject<[String], Never>()
        let titles = PublishSubject<String, Never>()
        let screen = Screen()
        screen.bind(answers.observable, titles.observable)
        let seen = Log()
        let token = screen.$photos.observable.subscribe {
            MainActor.assertIsolated()
            seen.add($0.joined())
        }
        let thread = TestThread {
            for number in 1...100 { answers.send(["\(number)"]) }
            titles.send("done")
        }
        await screen.bell.wait()
        thread.join()
        await until { seen.all.count == 101 }
        #expect(seen.all == [""] + (1...100).map(String.init) && screen.photos == ["100"] && screen.title == "done")
        token.cancel()
    }

    @Test @MainActor func withTheObjectUpstreamIsCancelledAtOnce() async {
        let upstream = TestSource<[String], Never>([["a"]], .silence)
        var screen: Screen? = Screen()
        screen?.bind(upstream.observable, .empty())
        #expect(upstream.cancels == 0)
        screen = nil
        #expect(upstream.cancels == 1)
    }

    @Test func withoutAnActorThePropertyIsSetWhereTheStreamEmits() {
        let subject = PublishSubject<Int, Never>()
        var safe: Safe? = Safe()
        let observed = subject.bind(to: safe!.observed.projectedValue)
        let keyed = subject.subscribe(safe!) { $0.number = $1 }
        subject.send(5)
        #expect(safe?.number == 5 && safe?.observed.wrappedValue == 5 && !keyed.isFinished)
        let projection = safe!.observed.projectedValue
        safe = nil
        #expect(observed.isFinished)
        // Here at the latest; a subscription of another test may have looked before.
        subject.send(6)
        #expect(keyed.isFinished)
        #expect(Observable<Int, Never>.just(1).bind(to: projection).isFinished)
    }

    @Test @MainActor func aSubscriptionOwnerEndsUpstreamInItsDeinit() async {
        let upstream = TestSource<Int, Never>([1, 2], .silence)
        var owner: Owning? = Owning()
        upstream.bind(to: owner!, \.number)
        while owner?.number != 2 { await Task.yield() }
        #expect(upstream.cancels == 0)
        owner = nil
        #expect(upstream.cancels == 1)
    }

    @Test @MainActor func anObjectThatIsNotSendableIsSetOnTheCallersActor() async {
        let bell = Bell()
        let subject = PublishSubject<Int, Never>()
        var ledger: Ledger? = Ledger()
        weak let weakly = ledger
        func bind(_ ledger: Ledger) { subject.bind(to: ledger, \.number) }
        ledger.map(bind)
        subject.send(3)
        let token = subject.observe { _ in bell.ring() }
        subject.send(4)
        await bell.wait()
        #expect(ledger?.number == 4)
        ledger = nil
        #expect(weakly == nil)
        subject.send(5)
        token.cancel()
    }

    @Test func anActorsOwnProperty() async {
        let room = Room()
        let subject = PublishSubject<Int, Never>()
        let projection = await room.bind(subject.observable)
        let bell = Bell()
        let token = projection.subscribe { if $0 == 99 { bell.ring() } }
        for number in 0..<100 { subject.send(number) }
        await bell.wait()
        #expect(await room.number == 99)
        token.cancel()
    }

    @Test func theReturnedSubscriptionStopsIt() {
        let subject = PublishSubject<Int, Never>()
        let safe = Safe()
        let binding = subject.bind(to: safe.observed.projectedValue)
        subject.send(1)
        binding.cancel()
        subject.send(2)
        #expect(safe.observed.wrappedValue == 1 && binding.isFinished)
    }

    @Test func oneStreamIntoAnotherProperty() {
        let (first, second) = (Safe(), Safe())
        first.observed.projectedValue.map { $0 * 10 }.bind(to: second.observed.projectedValue)
        first.observed.wrappedValue = 4
        #expect(second.observed.wrappedValue == 40)
    }

    @Test func anObjectThatDiesOnOneOfTwoThreadsWhileTheOtherSends() {
        race("an owner goes while its property is set", rounds: 200) { meet in
            let upstream = PublishSubject<Int, Never>()
            let place = Guarded<Safe?>(Safe())
            let binding = place.withLock { upstream.bind(to: $0!.observed.projectedValue) }
            return (
                [
                    { for number in 0..<50 { meet { upstream.send(number) } } },
                    {
                        meet {
                            let dead = place.withLock { place in
                                let dead = place
                                place = nil
                                return dead
                            }
                            _ = dead
                        }
                    },
                ], { #expect(binding.isFinished) }
            )
        }
    }
}
