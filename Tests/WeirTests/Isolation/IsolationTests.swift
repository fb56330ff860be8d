import Testing
import Weir
import WeirTestSupport

/// Not private: Swift 6.3 gives the thunk of an unapplied method the wrong linkage then.
@globalActor actor Desk {
    static let shared = Desk()
}

/// What a handler has heard, and whatever has to live meanwhile.
private final class Record: Sendable {
    private let heard = Guarded<[Int]>([])
    private let kept = Guarded<[any Sendable]>([])
    let bell = Bell()
    let meetings = Meetings()
    func add(_ number: Int) {
        meetings.handler { heard.withLock { $0.append(number) } }
        bell.ring()
    }
    func keep(_ object: any Sendable) { kept.withLock { $0.append(object) } }
    func letGo() { kept.withLock { $0 = [] } }
    var numbers: [Int] { heard.withLock { $0 } }
}

@MainActor private final class Panel {
    let record: Record
    init(_ record: Record) { self.record = record }
    func show(_ number: Int) {
        MainActor.assertIsolated()
        record.add(number)
    }
}

@Desk private final class Drawer {
    let record: Record
    /// Not Sendable: it belongs to the desk.
    var ledger: Ledger?
    init(_ record: Record) { self.record = record }
    func put(_ number: Int) {
        Desk.assertIsolated()
        record.add(number)
    }
    func listenWithLedger(_ stream: Observable<Int, Never>) -> OwnerSubscription {
        let ledger = Ledger()
        self.ledger = ledger
        return stream.observe(ledger) { [record] ledger, number in
            Desk.assertIsolated()
            ledger.numbers.append(number)
            record.add(ledger.numbers.last ?? -1)
        }
    }
    func listen(_ stream: Observable<Int, Never>) -> SubscriptionToken {
        stream.observe { [self] number in put(number) }
    }
}

private final class Ledger { var numbers: [Int] = [] }

private actor Keeper {
    let record: Record
    init(_ record: Record) { self.record = record }
    func put(_ number: Int) { record.add(number) }
    func listenBySelf(_ stream: Observable<Int, Never>) -> OwnerSubscription {
        stream.observe(by: self) { me, number in me.put(number) }
    }
    func listen(_ stream: Observable<Int, Never>) -> SubscriptionToken {
        stream.observe { number in
            self.assertIsolated()
            self.put(number)
        }
    }
    func perform(_ body: @Sendable () -> Void) { body() }
}

/// A way to listen on an actor.
struct IsolatedForm: Sendable, CustomTestStringConvertible {
    fileprivate typealias Cancel = @Sendable () -> Void
    let testDescription: String
    /// Listens, and answers how to stop and how to run something on the actor of the handler.
    fileprivate let start:
        @Sendable (Observable<Int, Never>, Record) async -> (
            cancel: Cancel, perform: @Sendable (@escaping @Sendable () -> Void) async -> Void
        )
    fileprivate init(
        _ name: String,
        _ start:
            @escaping @Sendable (Observable<Int, Never>, Record) async -> (
                cancel: Cancel, perform: @Sendable (@escaping @Sendable () -> Void) async -> Void
            )
    ) {
        testDescription = name
        self.start = start
    }

    private static let onMain: @Sendable (@escaping @Sendable () -> Void) async -> Void = { body in
        await MainActor.run { body() }
    }
    private static let onDesk: @Sendable (@escaping @Sendable () -> Void) async -> Void = { body in
        let run: @Desk @Sendable () -> Void = { body() }
        await run()
    }

    static let all: [IsolatedForm] = [
        IsolatedForm("observe { } on the main actor") { stream, record in
            let token = await MainActor.run {
                let panel = Panel(record)
                return stream.observe { panel.show($0) }
            }
            return ({ token.cancel() }, onMain)
        },
        IsolatedForm("observe(panel, with: Panel.show)") { stream, record in
            let subscription = await MainActor.run {
                let panel = Panel(record)
                record.keep(panel)
                return stream.observe(panel, with: Panel.show)
            }
            return ({ subscription.cancel() }, onMain)
        },
        IsolatedForm("subscribe(panel, with: Panel.show) from nowhere") { stream, record in
            let panel = await Panel(record)
            record.keep(panel)
            let subscription = stream.subscribe(panel, with: Panel.show)
            return ({ subscription.cancel() }, onMain)
        },
        IsolatedForm("subscribe(drawer, with: Drawer.put), another global actor") { stream, record in
            let drawer = await Drawer(record)
            record.keep(drawer)
            let subscription = stream.subscribe(drawer, with: Drawer.put)
            return ({ subscription.cancel() }, onDesk)
        },
        IsolatedForm("observe { } on another global actor") { stream, record in
            let token = await Drawer(record).listen(stream)
            return ({ token.cancel() }, onDesk)
        },
        IsolatedForm("observe(ledger) { }, a class of the actor that is not Sendable") { stream, record in
            let drawer = await Drawer(record)
            record.keep(drawer)
            let subscription = await drawer.listenWithLedger(stream)
            return ({ subscription.cancel() }, onDesk)
        },
        IsolatedForm("observe(by: self) in an actor") { stream, record in
            let keeper = Keeper(record)
            record.keep(keeper)
            let subscription = await keeper.listenBySelf(stream)
            return ({ subscription.cancel() }, { await keeper.perform($0) })
        },
        IsolatedForm("observe { } in an actor") { stream, record in
            let keeper = Keeper(record)
            let token = await keeper.listen(stream)
            return ({ token.cancel() }, { await keeper.perform($0) })
        },
    ]
}

/// Each way to subscribe that belongs to an actor delivers on that actor, in order, and is silent once it is cancelled there.
@Suite struct IsolationTests {
    @Test(arguments: IsolatedForm.all)
    func threadsThatSendKeepTheirOrder(form: IsolatedForm) async {
        let subject = PublishSubject<Int, Never>()
        let record = Record()
        let listening = await form.start(subject.observable, record)
        var sent = 0
        repeat {
            let numbers = sent..<sent + 500
            let thread = TestThread {
                for number in numbers {
                    record.meetings.look(number)
                    subject.send(number)
                }
            }
            sent += 500
            await record.bell.wait(sent)
            thread.join()
        } while record.meetings.count == 0 && sent < 100_000
        #expect(record.numbers == Array(0..<sent))
        print("race: \(form.testDescription), a send met a handler \(record.meetings.count) times of \(sent)")
        #expect(record.meetings.count > 0)
        listening.cancel()
        subject.send(-1)
        record.letGo()
    }

    @Test(arguments: IsolatedForm.all)
    func afterCancelOnTheActorNothingMoreIsDelivered(form: IsolatedForm) async {
        let subject = PublishSubject<Int, Never>()
        let record = Record()
        let listening = await form.start(subject.observable, record)
        subject.send(1)
        await record.bell.wait()
        let later = Record()
        let other = await form.start(subject.observable, later)
        await listening.perform {
            // On the actor: what is sent now waits until this has returned.
            subject.send(2)
            listening.cancel()
            subject.send(3)
        }
        await later.bell.wait(2)
        #expect(record.numbers == [1])
        #expect(later.numbers == [2, 3])
        other.cancel()
        for record in [record, later] { record.letGo() }
    }

    @Test func aMethodThatBelongsToNoActorRunsWhereTheStreamEmits() {
        final class Plain: Sendable {
            let record = Record()
            func take(_ number: Int) { record.add(number) }
        }
        let subject = PublishSubject<Int, Never>()
        let plain = Plain()
        let subscription = subject.subscribe(plain, with: Plain.take)
        onThread { subject.send(1) }
        subject.send(2)
        #expect(plain.record.numbers == [1, 2])
        subscription.cancel()
        subject.send(3)
        #expect(plain.record.numbers == [1, 2])
    }
}
