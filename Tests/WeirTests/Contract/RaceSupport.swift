import Foundation
import WeirTestSupport
import WeirTesting

/// How many events the races for one order take. WEIR_RACE_EVENTS makes it more or less; under a sanitizer it is a part,
/// unless that says otherwise.
let raceEvents = setting("WEIR_RACE_EVENTS", or: 1_000_000, sanitized: 40_000)

/// How many the other races take, which come in many forms.
let fewerEvents = min(raceEvents, 200_000)

/// The end of a race: a handler that gets it hands out what it has recorded.
let lastElement = Int.max

/// A subscriber that records without any synchronisation of its own; it hands out its record at `lastElement`.
func recorder(
    _ stream: Observable<Int, Never>, _ meetings: Meetings, _ leaks: Leaks, into result: Guarded<[Int]>,
    react: @escaping @Sendable (Int) -> Void = { _ in }
) -> SubscriptionToken {
    var list: [Int] = []
    let canary = leaks.canary()
    return stream.subscribe { element in
        meetings.handler {
            _ = canary
            list.append(element)
            react(element)
            if element == lastElement { result.withLock { $0 = list } }
        }
    }
}

/// The same with demand in the test's hands; it hands out its record at the end.
func attachRecorder(
    _ stream: Observable<Int, Never>, _ meetings: Meetings, _ leaks: Leaks, into result: Guarded<[Int]?>
) -> Subscription {
    var list: [Int] = []
    let canary = leaks.canary()
    return stream.attach(
        Observer(
            next: { element in
                meetings.handler {
                    _ = canary
                    list.append(element)
                    return true
                }
            }, done: { _ in result.withLock { $0 = list } }))
}

/// What threads send into and many listen to, with one order for all of them.
enum Hot: String, CaseIterable, Sendable {
    case publishSubject, behaviorSubject
    /// Four subjects merged, one for each thread, and shared.
    case merge

    func make() -> Meet {
        switch self {
        case .publishSubject:
            let subject = PublishSubject<Int, Never>()
            return Meet(stream: subject.observable, send: { subject.send($1) })
        case .behaviorSubject:
            let subject = BehaviorSubject<Int, Never>(start)
            return Meet(stream: subject.observable, send: { subject.send($1) }, value: { subject.value })
        case .merge:
            let subjects = (0..<4).map { _ in PublishSubject<Int, Never>() }
            return Meet(stream: Observable.merge(subjects.map(\.observable)).share(), send: { subjects[$0].send($1) })
        }
    }
    /// What a `behaviorSubject` begins with.
    var start: Int { Int.min }

    struct Meet: Sendable {
        let stream: Observable<Int, Never>
        let send: @Sendable (_ thread: Int, _ element: Int) -> Void
        var value: @Sendable () -> Int? = { nil }
    }
}

/// A newcomer that stays for ten elements and cancels itself inside the last.
func visit(_ stream: Observable<Int, Never>, _ leaks: Leaks, _ visits: Guarded<[[Int]]>) {
    let own = Guarded<SubscriptionToken?>(nil)
    var list: [Int] = []
    let canary = leaks.canary()
    let token = stream.subscribe { element in
        _ = canary
        list.append(element)
        guard list.count == 10 else { return }
        visits.withLock { $0.append(list) }
        let token = own.withLock { token in
            let taken = token
            token = nil
            return taken
        }
        token?.cancel()
    }
    own.withLock { $0 = token }
}

/// A subscriber that another one cancels and replaces from inside its handler, so on the emitting thread: from then on
/// it may not be called again.
final class Victim: Sendable {
    let late = Tally()
    let replacements = Tally()
    private let stream: Observable<Int, Never>
    private let leaks: Leaks
    private let current = Guarded<(token: SubscriptionToken, gone: Guarded<Bool>)?>(nil)

    init(_ stream: Observable<Int, Never>, _ leaks: Leaks) {
        self.stream = stream
        self.leaks = leaks
        replace()
    }
    func replace() {
        stop()
        replacements.add()
        let canary = leaks.canary()
        let gone = Guarded(false)
        let token = stream.subscribe { [weak self] _ in
            _ = canary
            if gone.withLock({ $0 }) { self?.late.add() }
        }
        current.withLock { $0 = (token, gone) }
    }
    func stop() {
        let old = current.withLock { current in
            let old = current
            current = nil
            return old
        }
        old?.token.cancel()
        old?.gone.withLock { $0 = true }
    }
}

/// Operators with several upstreams, and what must be true of what comes out. An element is `thread * count + index`.
enum Join: String, CaseIterable, Sendable {
    case merge, zip, combineLatest, flatMap, flatMapLatest, share

    var width: Int { self == .merge || self == .flatMap ? 4 : 2 }

    func make(_ streams: [Observable<Int, Never>]) -> Observable<Int, Never> {
        switch self {
        case .merge: Observable.merge(streams)
        case .zip: streams[0].zip(with: streams[1]).map { $0.1 - $0.0 }
        case .combineLatest: streams[0].combineLatest(with: streams[1]).map { $0.0 + $0.1 }
        case .flatMap: Observable(0..<streams.count).flatMap { streams[$0] }
        case .flatMapLatest: streams[0].flatMapLatest { _ in streams[1] }
        case .share: Observable.merge(streams).share()
        }
    }
    /// What is wrong with the elements; nil where nothing is.
    func problem(_ elements: [Int], _ count: Int) -> String? {
        switch self {
        case .merge, .flatMap, .share:
            if elements.count != width * count { return "\(elements.count) of \(width * count) elements came" }
            for thread in 0..<width
            where elements.filter({ $0 / count == thread }) != Array(thread * count..<(thread + 1) * count) {
                return "the elements of thread \(thread) lost their order"
            }
        case .zip:
            if elements.count != count { return "\(elements.count) of \(count) rows came" }
            if elements.contains(where: { $0 != count }) { return "a row joins elements that do not belong together" }
        case .combineLatest:
            if elements.last != 3 * count - 2 { return "the last row is \(elements.last ?? -1), not of the latest two" }
            if elements != elements.sorted() { return "a row went back to an older element" }
        case .flatMapLatest:
            if elements != elements.sorted() || Set(elements).count != elements.count { return "an element came twice" }
        }
        return nil
    }
}
