import Weir
import WeirTesting

/// Every operator, source and subject of the core, once, by its file; the conformance suite runs over all of them.
///
/// A file of Sources/Weir without a line here fails `ConformanceTests`, and so does a line without a file. An operator whose
/// behaviour has several sides is listed in several forms.
enum OperatorRegistry {
    struct Entry: Sendable {
        let file: String
        let forms: [OperatorUnderTest]
    }
    typealias Subject = OperatorUnderTest

    static let entries: [Entry] =
        creating + transforming + filtering + flattening + combining + timing + recovering + others

    /// Does a closure or a list of the form hold the upstream, which is attached only once another stream has spoken?
    static func holdsUpstream(_ form: OperatorUnderTest) -> Bool { form.name.hasSuffix(" is up") }

    /// They end a chain and make no stream: their own tests hold them to the contract.
    static let consumers = [
        "Consuming/Bind", "Consuming/Observe", "Consuming/Subscribe", "Consuming/SubscribeOwner",
        "Consuming/SubscriptionToken", "Consuming/Value", "Consuming/Values",
    ]

    static let creating: [Entry] = [
        Entry(
            file: "Creating/Create",
            forms: [
                .hot("create", [.hasTeardown, .isShared]) { setting in
                    let feed = EmitterFeed()
                    let stream = Observable<Int, TestFailure>.create { emitter in
                        emitter.onTermination(setting.tornDown)
                        feed.start(emitter)
                    }
                    return (stream, .init(send: { feed.send($0) }, end: { feed.end($0) }))
                },
                .source("create at once", [.hasTeardown]) { setting in
                    Observable<Int, TestFailure>.create { emitter in
                        emitter.onTermination(setting.tornDown)
                        for element in 0..<60 { emitter.send(element) }
                        emitter.finish()
                    }
                },
            ]),
        Entry(file: "Creating/Empty", forms: [.source("empty") { _ in Observable<Int, Never>.empty() }]),
        Entry(
            file: "Creating/Fail",
            forms: [.source("fail") { _ in Observable<Int, TestFailure>.fail(TestFailure("own")) }]),
        Entry(
            file: "Creating/FromAsync",
            forms: [
                .source("async", [.runsOnPool]) { _ in
                    Observable<Int, TestFailure> { () async throws(TestFailure) -> Int in 7 }
                },
                .source("async that throws", [.runsOnPool]) { _ in
                    Observable<Int, TestFailure> { () async throws(TestFailure) -> Int in throw TestFailure("own") }
                },
            ]),
        Entry(
            file: "Creating/FromAsyncSequence",
            forms: [.source("asyncSequence", [.runsOnPool]) { _ in Observable(Observable<Int, Never>(0..<60).values) }]),
        Entry(
            file: "Creating/FromTracking",
            forms: [
                .source("tracking", [.runsOnPool]) { _ in
                    Observable<Observable<Int, Never>, Never> { await Tracker().stream() }.flatMap { $0 }
                }
            ]),
        Entry(
            file: "Creating/Interval",
            forms: [
                .source("interval", [.isEndless, .dependsOnTime]) { setting in
                    Observable.interval(.frames(1), on: setting.clock)
                },
                .source("interval that ends", [.dependsOnTime]) { setting in
                    Observable.interval(.frames(1), on: setting.clock).prefix(20)
                },
                .source("timer", [.takesTime]) { setting in Observable.timer(.frames(2), on: setting.clock) },
            ]),
        Entry(file: "Creating/Just", forms: [.source("just") { _ in Observable<Int, Never>.just(7) }]),
        Entry(
            file: "Creating/Never", forms: [.source("never", [.isEndless]) { _ in Observable<Int, Never>.never() }]),
        Entry(
            file: "Creating/Sequence",
            forms: [
                .source("sequence") { _ in Observable<Int, Never>(0..<100) },
                .source("prefix of an endless sequence") { _ in Observable<Int, Never>(Endless()).prefix(50) },
                .source("sequence of none") { _ in Observable<Int, Never>([]) },
            ]),
    ]

    static let transforming: [Entry] = [
        Entry(
            file: "Transforming/CompactMap",
            forms: [
                Subject("compactMap", [.passesDemand]) { up, _ in up.compactMap { $0.isMultiple(of: 3) ? nil : $0 } },
                Subject("compactMap that throws", [.passesDemand]) { up, _ in
                    up.compactMap { number throws(TestFailure) -> Int? in
                        if number == 3 { throw TestFailure("own") }
                        return number.isMultiple(of: 2) ? number : nil
                    }
                },
            ]),
        Entry(
            file: "Transforming/Decode",
            forms: [
                Subject("decode", [.passesDemand]) { up, _ in up.decode(Int.self, using: Decoder(limit: .max)) },
                Subject("decode that fails", [.passesDemand]) { up, _ in up.decode(Int.self, using: Decoder(limit: 2))
                },
            ]),
        Entry(
            file: "Transforming/Map",
            forms: [
                Subject("map", [.passesDemand]) { up, _ in up.map { $0 * 10 } },
                Subject("map that throws", [.passesDemand]) { up, _ in
                    up.map { number throws(TestFailure) in
                        if number == 3 { throw TestFailure("own") }
                        return number
                    }
                },
                Subject("tryMap", [.passesDemand]) { up, _ in
                    up.tryMap { number in
                        if number == 3 { throw TestFailure("own") }
                        return number
                    }
                },
                Subject("300 maps", [.passesDemand]) { up, _ in (0..<300).reduce(up) { up, _ in up.map { $0 + 1 } } },
            ]),
        Entry(
            file: "Transforming/Scan",
            forms: [
                Subject("scan", [.passesDemand]) { up, _ in up.scan(0) { $0 + $1 } },
                Subject("scan that throws", [.passesDemand]) { up, _ in
                    up.scan(0) { sum, number throws(TestFailure) in
                        if number == 3 { throw TestFailure("own") }
                        return sum + number
                    }
                },
            ]),
    ]

    static let filtering: [Entry] = [
        Entry(file: "Filtering/DropFirst", forms: [Subject("dropFirst", [.passesDemand]) { up, _ in up.dropFirst(2) }]),
        Entry(
            file: "Filtering/Filter",
            forms: [
                Subject("filter", [.passesDemand]) { up, _ in up.filter { $0.isMultiple(of: 2) } },
                Subject("filter that throws", [.passesDemand]) { up, _ in
                    up.filter { number throws(TestFailure) in
                        if number == 4 { throw TestFailure("own") }
                        return number.isMultiple(of: 2)
                    }
                },
            ]),
        Entry(
            file: "Filtering/Prefix",
            forms: [
                Subject("prefix", [.passesDemand]) { up, _ in up.prefix(3) },
                Subject("long prefix", [.passesDemand]) { up, _ in up.prefix(1_000) },
                .source("prefix(0)") { _ in Observable<Int, Never>(0..<9).prefix(0) },
            ]),
        Entry(
            file: "Filtering/PrefixWhile",
            forms: [
                Subject("prefix(while:)", [.passesDemand]) { up, _ in up.prefix { $0 < 3 } },
                Subject("prefix(while:) that throws", [.passesDemand]) { up, _ in
                    up.prefix { number throws(TestFailure) in
                        if number == 3 { throw TestFailure("own") }
                        return true
                    }
                },
            ]),
        Entry(
            file: "Filtering/RemoveDuplicates",
            forms: [Subject("removeDuplicates", [.passesDemand]) { up, _ in up.map { $0 / 2 }.removeDuplicates() }]),
    ]

    static let flattening: [Entry] = [
        Entry(
            file: "Flattening/FlatMap",
            forms: [
                Subject("flatMap", [.dependsOnDemand, .keepsAll, .fetchesAll]) { up, _ in
                    up.flatMap { .init([$0, $0 + 1_000]) }
                },
                Subject("flatMap of just", [.fetchesAll]) { up, _ in up.flatMap { .just($0) } },
                Subject("flatMap one at a time") { up, _ in
                    up.flatMap(maxConcurrent: 1) { .init([$0, $0 + 1_000]) }
                },
                Subject("flatMap that throws", [.dependsOnDemand, .fetchesAll]) { up, _ in
                    up.flatMap { number throws(TestFailure) in
                        if number == 3 { throw TestFailure("own") }
                        return .just(number)
                    }
                },
                Subject("flatMap, inner is up") { up, _ in
                    Observable<Int, TestFailure>.just(1).flatMap { _ in up }
                },
                Subject("flatMap one at a time, inner is up") { up, _ in
                    Observable<Int, TestFailure>.just(1).flatMap(maxConcurrent: 1) { _ in up }
                },
            ]),
        Entry(
            file: "Flattening/FlatMapLatest",
            forms: [
                Subject("flatMapLatest", [.dependsOnDemand, .keepsLast, .fetchesAll]) { up, _ in
                    up.flatMapLatest { .init([$0, $0 + 1_000]) }
                },
                Subject("flatMapLatest that throws", [.dependsOnDemand, .fetchesAll]) { up, _ in
                    up.flatMapLatest { number throws(TestFailure) in
                        if number == 3 { throw TestFailure("own") }
                        return .just(number)
                    }
                },
                Subject("flatMapLatest, inner is up") { up, _ in
                    Observable<Int, TestFailure>.just(1).flatMapLatest { _ in up }
                },
            ]),
    ]

    static let combining: [Entry] = [
        Entry(
            file: "Combining/Branches",
            forms: [
                Subject("branches", [.passesDemand]) { up, _ in up.branches({ $0 }, { $0.map { $0 * 10 } }) },
                Subject("branches with gaps", [.passesDemand]) { up, _ in
                    up.branches({ $0.scan(0) { $0 + $1 } }, { $0.filter { $0 != 1 } })
                },
            ]),
        Entry(
            file: "Combining/CombineLatest",
            forms: [
                Subject("combineLatest", [.dependsOnDemand, .attachesOften, .keepsLast]) { up, _ in
                    combineLatest(up, up)
                },
                Subject("combineLatest of a list", [.dependsOnDemand, .attachesOften, .keepsLast]) { up, _ in
                    combineLatest([up, up, up])
                },
            ]),
        Entry(
            file: "Combining/Concat",
            forms: [
                Subject("concat", [.attachesOften]) { up, _ in up.concat(up.map { $0 + 100 }) },
                Subject("concat of one") { up, _ in Observable.concat([up]) },
                Subject("concat, second is up") { up, _ in Observable<Int, TestFailure>.empty().concat(up) },
            ]),
        Entry(
            file: "Combining/Merge",
            forms: [
                Subject("merge", [.dependsOnDemand, .attachesOften, .keepsAll]) { up, _ in up.merge(with: up) },
                Subject("merge of one") { up, _ in Observable.merge([up]) },
            ]),
        Entry(
            file: "Combining/Zip",
            forms: [
                Subject("zip", [.attachesOften]) { up, _ in zip(up, up.map { "\($0)" }) },
                Subject("zip of a list", [.attachesOften]) { up, _ in zip([up, up.dropFirst(3), up]) },
            ]),
    ]

    static let timing: [Entry] = [
        Entry(
            file: "Timing/Debounce",
            forms: [
                Subject("debounce", [.dependsOnTime, .keepsLast, .selects, .fetchesAll]) { up, setting in
                    up.debounce(for: .frames(2), on: setting.clock)
                },
                Subject("debounce without a flush", [.dependsOnTime, .selects, .fetchesAll]) { up, setting in
                    up.debounce(for: .frames(2), on: setting.clock, flushAtCompletion: false)
                },
            ]),
        Entry(
            file: "Timing/Delay",
            forms: [
                Subject("delay", [.takesTime, .fetchesAll]) { up, setting in
                    up.delay(for: .frames(3), on: setting.clock)
                }
            ]),
        Entry(
            file: "Timing/Throttle",
            forms: [
                Subject("throttle", [.dependsOnTime, .keepsFirst, .keepsLast, .selects, .fetchesAll]) { up, setting in
                    up.throttle(for: .frames(2), on: setting.clock)
                },
                Subject("throttle without the latest", [.dependsOnTime, .keepsFirst, .selects, .fetchesAll]) {
                    up, setting in
                    up.throttle(for: .frames(2), on: setting.clock, latest: false)
                },
            ]),
    ]

    static let recovering: [Entry] = [
        Entry(
            file: "Recovering/Catch",
            forms: [
                Subject("catch", [.handlesFailure]) { up, _ in
                    up.catch { _ in Observable<Int, Never>(100..<110) }
                },
                Subject("catch that fails") { up, _ in up.catch { Observable<Int, TestFailure>.fail($0) } },
                Subject("catch, second is up") { up, _ in
                    Observable<Int, TestFailure>.fail(TestFailure("first")).catch { _ in up }
                },
            ]),
        Entry(
            file: "Recovering/MapError",
            forms: [Subject("mapError", [.passesDemand]) { up, _ in up.mapError { TestFailure($0.label) } }]),
        Entry(
            file: "Recovering/Repeat",
            forms: [
                Subject("repeat", [.attachesOften]) { up, _ in up.repeat(2) },
                Subject("repeat, cut", [.attachesOften]) { up, _ in up.repeat(99).prefix(150) },
                .source("repeat(0)") { _ in Observable<Int, Never>(0..<9).repeat(0) },
            ]),
        Entry(
            file: "Recovering/Retry",
            forms: [
                Subject("retry") { up, _ in up.retry(1, if: { $0.label == "again" }) },
                // An element sets the count back, so these would go on for ever.
                Subject("retry twice, cut", [.attachesOften, .handlesFailure]) { up, _ in up.retry(2).prefix(150) },
                Subject("retry after a wait, cut", [.attachesOften, .handlesFailure, .takesTime]) { up, setting in
                    up.retry(1, backoff: .constant(.frames(2)), on: setting.clock).prefix(150)
                },
            ]),
        Entry(
            file: "Recovering/ReplaceError",
            forms: [Subject("replaceError", [.handlesFailure]) { up, _ in up.replaceError(with: -1) }]),
        Entry(
            file: "Recovering/SetFailureType",
            forms: [
                Subject("setFailureType", [.passesDemand, .handlesFailure]) { up, _ in
                    withoutFailure(up).setFailureType(to: TestFailure.self)
                }
            ]),
    ]

    static let others: [Entry] = [
        Entry(
            file: "Inspecting/Debug", forms: [Subject("debug", [.passesDemand]) { up, _ in up.debug("x") { _ in } }]),
        Entry(file: "Inspecting/Named", forms: [Subject("named", [.passesDemand]) { up, _ in up.named("x") }]),
        Entry(
            file: "Inspecting/Stage",
            forms: [
                Subject("stage", [.passesDemand]) { up, _ in up.stage("stage", from: Int.self, to: Int.self) }
            ]),
        Entry(
            file: "Scheduling/ReceiveOn",
            forms: [
                Subject("receive(on: clock)", [.takesTime]) { up, setting in
                    up.receive(on: setting.clock, prefetch: 8)
                },
                Subject("receive(on: immediate)") { up, _ in up.receive(on: .immediate, prefetch: 8) },
                Subject("receive(on: serial)") { up, _ in up.receive(on: SerialScheduler(), prefetch: 8) },
                Subject("receive(on: continuous)", [.runsOnPool]) { up, _ in up.receive(on: .continuous) },
            ]),
        Entry(
            file: "Sharing/Buffer",
            forms: [
                Subject("buffer", [.fetchesAll]) { up, _ in up.buffer(.unbounded) },
                Subject("buffer that suspends") { up, _ in up.buffer(.bounded(4, onOverflow: .suspend)) },
                Subject("buffer of the newest", [.dependsOnDemand, .keepsLast, .selects, .fetchesAll]) { up, _ in
                    up.buffer(.bounded(2, onOverflow: .dropOldest))
                },
                Subject("buffer of the oldest", [.dependsOnDemand, .keepsFirst, .selects, .fetchesAll]) { up, _ in
                    up.buffer(.bounded(2, onOverflow: .dropNewest))
                },
                Subject("buffer of none", [.dependsOnDemand, .selects, .fetchesAll]) { up, _ in
                    up.buffer(.bounded(0, onOverflow: .dropOldest))
                },
                Subject("buffer that may fail", [.fetchesAll]) { up, _ in
                    up.buffer(.bounded(1_000, onOverflow: .fail(TestFailure("own"))))
                },
            ]),
        Entry(
            file: "Sharing/Share",
            forms: [
                Subject("share", [.isShared]) { up, _ in up.share() },
                Subject("share(replay:)", [.isShared]) { up, _ in up.share(replay: 3) },
            ]),
        Entry(
            file: "Subjects/PublishSubject",
            forms: [
                .hot("PublishSubject") { _ in
                    let subject = PublishSubject<Int, TestFailure>()
                    return (
                        subject.observable,
                        .init(send: { subject.send($0) }, end: { subject.send(completion: $0) })
                    )
                }
            ]),
        Entry(
            file: "Subjects/Observed",
            forms: [
                .source("Observed", [.isEndless]) { _ in
                    let property = Observed(wrappedValue: 7)
                    return property.projectedValue.map { number in
                        _ = property
                        return number
                    }
                }
            ]),
        Entry(
            file: "Subjects/BehaviorSubject",
            forms: [
                .hot("BehaviorSubject") { _ in
                    let subject = BehaviorSubject<Int, TestFailure>(-1)
                    return (
                        subject.observable,
                        .init(send: { subject.send($0) }, end: { subject.send(completion: $0) })
                    )
                }
            ]),
    ]
}

private struct Endless: Sequence, IteratorProtocol, Sendable {
    var number = 0
    mutating func next() -> Int? {
        number += 1
        return number
    }
}

/// Tracks nothing that changes: one value, and the end.
private actor Tracker {
    let number = 7
    func stream() -> Observable<Int, Never> { Observable(tracking: { self.number }) }
}

/// Reads any number as itself, up to a limit.
private struct Decoder: ElementDecoder {
    let limit: Int
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from input: Int) throws -> Value {
        guard input <= limit, let value = input as? Value else { throw TestFailure("own") }
        return value
    }
}

/// A stream that says finished where `up` fails.
private func withoutFailure(_ up: Observable<Int, TestFailure>) -> Observable<Int, Never> {
    Observable(after: up.depth) { down in
        up.attach(Observer(next: down.next, done: { _ in down.done(.finished) }))
    }
}

/// The emitters of all subscriptions; an end that comes before one is kept.
private final class EmitterFeed: Sendable {
    private let emitters = Guarded<[Emitter<Int, TestFailure>]>([])
    private let early = Guarded<Completion<TestFailure>?>(nil)

    func start(_ new: Emitter<Int, TestFailure>) {
        emitters.withLock { $0.append(new) }
        if let completion = early.withLock({ $0 }) { new.send(completion: completion) }
    }
    func send(_ element: Int) { for emitter in emitters.withLock({ $0 }) { emitter.send(element) } }
    func end(_ completion: Completion<TestFailure>) {
        early.withLock { $0 = completion }
        for emitter in emitters.withLock({ $0 }) { emitter.send(completion: completion) }
    }
}
