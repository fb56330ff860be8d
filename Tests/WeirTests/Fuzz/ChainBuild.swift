import Weir
import WeirTesting

/// A stream that cannot fail, or one that can: both paths of an operator are built.
enum ChainStream: Sendable {
    case sure(Observable<Int, Never>)
    case risky(Observable<Int, TestFailure>)

    /// As one that can fail.
    var risky: Observable<Int, TestFailure> {
        switch self {
        case .sure(let stream): stream.setFailureType(to: TestFailure.self)
        case .risky(let stream): stream
        }
    }
    var sure: Observable<Int, Never> {
        switch self {
        case .sure(let stream): stream
        case .risky(let stream): stream.catch { _ in Observable<Int, Never>.never() }
        }
    }
}

/// Makes chains real: a stage and a stream become a stream.
struct ChainBuilder: Sendable {
    let clock: VirtualClock
    /// Watches between all stages, or at the sources alone.
    let watchesAll: Bool
    let meter: ChainMeter
    private let subjects = Guarded<[any Sendable]>([])

    init(_ clock: VirtualClock, watchesAll: Bool, meter: ChainMeter) {
        self.clock = clock
        self.watchesAll = watchesAll
        self.meter = meter
    }

    /// - Parameter element: what `ChainSource.element` counts from.
    func build(_ chain: Chain, _ element: Int = 0) -> ChainStream {
        var stream = source(chain.source, element)
        var above = chain.source.name
        for (index, stage) in chain.stages.enumerated() {
            if index == 0 || watchesAll { stream = watched(stream, [above, stage.name]) }
            stream = apply(stage, stream, element)
            above = stage.name
        }
        return chain.stages.isEmpty || watchesAll ? watched(stream, [above]) : stream
    }
    private func watched(_ stream: ChainStream, _ names: [String]) -> ChainStream {
        switch stream {
        case .sure(let stream): .sure(meter.watch(stream, names))
        case .risky(let stream): .risky(meter.watch(stream, names))
        }
    }

    private func source(_ source: ChainSource, _ element: Int) -> ChainStream {
        switch source {
        case .sequence(let values): .sure(Observable(values))
        case .created(let values, false):
            .sure(
                .create { emitter in
                    for value in values { emitter.send(value) }
                    emitter.finish()
                })
        case .created(let values, true):
            .risky(
                .create { emitter in
                    for value in values { emitter.send(value) }
                    emitter.fail(TestFailure("create"))
                })
        case .just(let value): .sure(.just(value))
        case .element(1): .sure(.just(element))
        case .element(let count): .sure(Observable(element..<element + count))
        case .empty: .sure(.empty())
        case .never: .sure(.never())
        case .fail: .risky(.fail(TestFailure("fail")))
        case .publish(let feed):
            subject(feed, PublishSubject<Int, Never>(), PublishSubject<Int, TestFailure>()) {
                $0.send($1)
            } end: {
                $0.send(completion: .finished)
            } _: {
                $0.send($1)
            } end: {
                $0.send(completion: $1)
            }
        case .behavior(let value, let feed):
            subject(feed, BehaviorSubject<Int, Never>(value), BehaviorSubject<Int, TestFailure>(value)) {
                $0.send($1)
            } end: {
                $0.send(completion: .finished)
            } _: {
                $0.send($1)
            } end: {
                $0.send(completion: $1)
            }
        }
    }
    /// One that cannot fail, where the feed does not; the other goes unused.
    private func subject<
        Sure: ObservableConvertible<Int, Never>, Risky: ObservableConvertible<Int, TestFailure>
    >(
        _ feed: ChainFeed, _ sure: Sure, _ risky: Risky, _ send: @escaping @Sendable (Sure, Int) -> Void,
        end: @escaping @Sendable (Sure) -> Void, _ sendRisky: @escaping @Sendable (Risky, Int) -> Void,
        end endRisky: @escaping @Sendable (Risky, Completion<TestFailure>) -> Void
    ) -> ChainStream {
        let failure = feed.end?.failure
        subjects.withLock { $0.append(failure == nil ? sure as any Sendable : risky as any Sendable) }
        for event in feed.sends {
            at(event.time) { if failure == nil { send(sure, event.value) } else { sendRisky(risky, event.value) } }
        }
        if let last = feed.end {
            at(last.time) {
                if let failure { endRisky(risky, .failed(TestFailure(failure))) } else { end(sure) }
            }
        }
        return failure == nil ? .sure(sure.observable) : .risky(risky.observable)
    }
    func at(_ time: Int, _ work: @escaping @Sendable () -> Void) {
        clock.schedule(at: VirtualClock.Instant().advanced(by: .nanoseconds(time)), work)
    }

    private func apply(_ stage: ChainStage, _ up: ChainStream, _ element: Int) -> ChainStream {
        switch stage {
        case .mapThrowing(let rest):
            return .risky(
                up.risky.map { value throws(TestFailure) in
                    if ChainRule.throwing(rest, value) { throw TestFailure("map") }
                    return value
                })
        case .filterThrowing(let rest):
            return .risky(
                up.risky.filter { value throws(TestFailure) in
                    if ChainRule.throwing(rest, value) { throw TestFailure("filter") }
                    return true
                })
        case .decode(let limit):
            let decoder = LimitDecoder(limit: limit)
            return .risky(
                up.risky.decode(Int.self, using: decoder).mapError { $0 as? TestFailure ?? TestFailure("other") })
        case .mapError: return .risky(up.risky.mapError { TestFailure($0.label + "'") })
        case .setFailureType: return .risky(up.risky)
        case .replaceError(let value): return .sure(up.risky.replaceError(with: value))
        case .flatMap(let count, let inner): return flatMap(up, count ?? .max, inner)
        case .flatMapLatest(let inner): return flatMapLatest(up, inner)
        default: break
        }
        if let side = stage.side { return join(stage, up, build(side, element)) }
        switch up {
        case .sure(let up): return .sure(plain(stage, up))
        case .risky(let up): return .risky(plain(stage, up))
        }
    }
    /// Stages that are the same for any failure.
    private func plain<F: Error>(_ stage: ChainStage, _ up: Observable<Int, F>) -> Observable<Int, F> {
        switch stage {
        case .map(let number): return up.map { $0 &+ number }
        case .filter(let number): return up.filter { $0 % number != 0 }
        case .compactMap(let number): return up.compactMap { $0 % number == 0 ? nil : $0 &+ 1 }
        case .scan: return up.scan(1) { ChainRule.accumulate($0, $1) }
        case .removeDuplicates: return up.removeDuplicates { ChainRule.areEqual($0, $1) }
        case .prefix(let count): return up.prefix(count)
        case .prefixWhile(let rest): return up.prefix { !ChainRule.ending(rest, $0) }
        case .dropFirst(let count): return up.dropFirst(count)
        case .share(let count): return up.share(replay: count)
        case .shareInTwo(let count):
            let shared = up.share(replay: count)
            return shared.merge(with: shared.map { ChainRule.other($0) })
        case .debounce(let time, let flushes):
            return up.debounce(for: .nanoseconds(time), on: clock, flushAtCompletion: flushes)
        case .delay(let time): return up.delay(for: .nanoseconds(time), on: clock)
        case .throttle(let time, let latest):
            return up.throttle(for: .nanoseconds(time), on: clock, latest: latest)
        case .buffer: return up.buffer(.unbounded)
        case .debug: return up.debug("fuzz", to: { _ in })
        case .named: return up.named("fuzz")
        case .repeat(let count): return up.repeat(count)
        case .receive(let lag, let count):
            return up.receive(on: LaggingScheduler(clock: clock, lag: .nanoseconds(lag)), prefetch: count)
        default: return up
        }
    }
    /// Stages of two streams, in all four overloads.
    private func join(_ stage: ChainStage, _ up: ChainStream, _ side: ChainStream) -> ChainStream {
        switch (stage, up, side) {
        case (.merge, .sure(let a), .sure(let b)): .sure(a.merge(with: b))
        case (.merge, .sure(let a), .risky(let b)): .risky(a.merge(with: b))
        case (.merge, .risky(let a), .sure(let b)): .risky(a.merge(with: b))
        case (.merge, .risky(let a), .risky(let b)): .risky(a.merge(with: b))
        case (.concat, .sure(let a), .sure(let b)): .sure(a.concat(b))
        case (.concat, .sure(let a), .risky(let b)): .risky(a.concat(b))
        case (.concat, .risky(let a), .sure(let b)): .risky(a.concat(b))
        case (.concat, .risky(let a), .risky(let b)): .risky(a.concat(b))
        case (.combineLatest, .sure(let a), .sure(let b)):
            .sure(a.combineLatest(with: b).map { ChainRule.pair($0, $1) })
        case (.combineLatest, .sure(let a), .risky(let b)):
            .risky(a.combineLatest(with: b).map { ChainRule.pair($0, $1) })
        case (.combineLatest, .risky(let a), .sure(let b)):
            .risky(a.combineLatest(with: b).map { ChainRule.pair($0, $1) })
        case (.combineLatest, .risky(let a), .risky(let b)):
            .risky(a.combineLatest(with: b).map { ChainRule.pair($0, $1) })
        case (.zip, .sure(let a), .sure(let b)): .sure(a.zip(with: b).map { ChainRule.pair($0, $1) })
        case (.zip, .sure(let a), .risky(let b)): .risky(a.zip(with: b).map { ChainRule.pair($0, $1) })
        case (.zip, .risky(let a), .sure(let b)): .risky(a.zip(with: b).map { ChainRule.pair($0, $1) })
        case (.zip, .risky(let a), .risky(let b)): .risky(a.zip(with: b).map { ChainRule.pair($0, $1) })
        case (.catch, .sure(let a), .sure(let b)): .sure(caught(a, b))
        case (.catch, .sure(let a), .risky(let b)): .risky(caught(a, b))
        case (.catch, .risky(let a), .sure(let b)): .sure(caught(a, b))
        case (.catch, .risky(let a), .risky(let b)): .risky(caught(a, b))
        default: up
        }
    }
    private func caught<F: Error, G: Error>(_ up: Observable<Int, F>, _ next: Observable<Int, G>) -> Observable<Int, G>
    {
        up.catch { _ in next }
    }
    private func flatMap(_ up: ChainStream, _ count: Int, _ inner: Chain) -> ChainStream {
        switch (up, inner.canFail) {
        case (.sure(let up), false): .sure(up.flatMap(maxConcurrent: count) { build(inner, $0).sure })
        case (.sure(let up), true): .risky(up.flatMap(maxConcurrent: count) { build(inner, $0).risky })
        case (.risky(let up), false): .risky(up.flatMap(maxConcurrent: count) { build(inner, $0).sure })
        case (.risky(let up), true): .risky(up.flatMap(maxConcurrent: count) { build(inner, $0).risky })
        }
    }
    private func flatMapLatest(_ up: ChainStream, _ inner: Chain) -> ChainStream {
        switch (up, inner.canFail) {
        case (.sure(let up), false): .sure(up.flatMapLatest { build(inner, $0).sure })
        case (.sure(let up), true): .risky(up.flatMapLatest { build(inner, $0).risky })
        case (.risky(let up), false): .risky(up.flatMapLatest { build(inner, $0).sure })
        case (.risky(let up), true): .risky(up.flatMapLatest { build(inner, $0).risky })
        }
    }
}

/// Reads any number as itself, up to a limit.
private struct LimitDecoder: ElementDecoder {
    let limit: Int
    func decode<Value: Decodable & Sendable>(_ type: Value.Type, from input: Int) throws -> Value {
        guard input <= limit, let value = input as? Value else { throw TestFailure("decode") }
        return value
    }
}

/// What is scheduled without a deadline runs a moment later, so that it has an instant of its own.
private struct LaggingScheduler: Scheduler {
    let clock: VirtualClock
    let lag: Duration
    var now: VirtualClock.Instant { clock.now }
    func schedule(_ work: @escaping @Sendable () -> Void) { clock.schedule(at: clock.now.advanced(by: lag), work) }
    func schedule(at deadline: VirtualClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        clock.schedule(at: deadline, work)
    }
}
