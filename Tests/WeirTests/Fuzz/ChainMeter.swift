import Weir
import WeirTesting

/// Watches the places between the stages of a chain: counts what passes, and what may not.
final class ChainMeter: Sendable {
    struct Count: Sendable {
        var appeared = 0
        /// How often a stream above or below it was cancelled after an element and before its end.
        var cancels = 0
        /// How often a stream above or below it failed after an element.
        var failures = 0
    }
    private struct State {
        var counts: [String: Count] = [:]
        var faults: [String] = []
        var links: [WatchedLink] = []
    }
    private let state = Guarded(State())

    var counts: [String: Count] { state.withLock { $0.counts } }

    /// What the stages did that they may not do; also a subscription that nobody has ended.
    var faults: [String] {
        let (links, faults) = state.withLock { ($0.links, $0.faults) }
        return faults + links.compactMap { $0.isOver ? nil : "a subscription between \($0.place) was left open" }
    }

    /// The links hold the meter, so it lets go of them in the end.
    func close() {
        let links = state.withLock { state in
            let links = state.links
            state.links = []
            return links
        }
        _ = links
    }

    /// - Parameter names: the stage above and, unless this is the end of the chain, the one below.
    func watch<F: Error>(_ stream: Observable<Int, F>, _ names: [String]) -> Observable<Int, F> {
        Observable { down in
            let link = WatchedLink(self, names)
            self.state.withLock { $0.links.append(link) }
            let up = stream.attach(
                Observer(
                    next: { element in
                        link.enter(isEnd: false)
                        let used = down.next(element)
                        link.leave(used)
                        return used
                    },
                    done: { completion in
                        link.enter(isEnd: true, fails: completion.failure != nil)
                        down.done(completion)
                        link.leave(true)
                    }))
            return Subscription(
                request: { demand in
                    link.request(demand.count)
                    up.request(demand)
                },
                cancel: {
                    link.startCancel()
                    up.cancel()
                    link.endCancel()
                })
        }
    }
    fileprivate func count(_ names: [String], _ change: (inout Count) -> Void) {
        state.withLock { for name in names { change(&$0.counts[name, default: Count()]) } }
    }
    fileprivate func fault(_ text: String) { state.withLock { $0.faults.append(text) } }
}

/// One subscription at one place.
private final class WatchedLink: Sendable {
    private struct State {
        var requested = 0
        var used = 0
        var elements = 0
        var isInside = false
        var isDone = false
        /// A cancel has begun.
        var isCancelled = false
        /// A cancel has returned.
        var isSilent = false
    }
    private let state = Guarded(State())
    private let meter: ChainMeter
    private let names: [String]

    init(_ meter: ChainMeter, _ names: [String]) {
        self.meter = meter
        self.names = names
    }
    var place: String { names.joined(separator: " and ") + (names.count == 1 ? " and the subscriber" : "") }
    var isOver: Bool { state.withLock { $0.isDone || $0.isCancelled } }

    func enter(isEnd: Bool, fails: Bool = false) {
        let (faults, isMidStream) = state.withLock { state -> ([String], Bool) in
            var faults: [String] = []
            if state.requested == 0 { faults.append("a signal before the first request") }
            if state.isInside { faults.append("a signal inside a signal") }
            if state.isDone { faults.append("a signal after the end") }
            if state.isSilent { faults.append("a signal after cancel has returned") }
            if !isEnd && state.used >= state.requested { faults.append("an element beyond demand") }
            state.isInside = true
            if isEnd { state.isDone = true } else { state.elements += 1 }
            return (faults, fails && state.elements > 0)
        }
        for fault in faults { meter.fault("\(fault), between \(place)") }
        if isMidStream { meter.count(names) { $0.failures += 1 } }
    }
    func leave(_ used: Bool) {
        state.withLock { state in
            state.isInside = false
            if used { state.used += 1 }
        }
    }
    func request(_ count: Int) {
        state.withLock {
            $0.requested = $0.requested.addingReportingOverflow(count).overflow ? .max : $0.requested + count
        }
    }
    func startCancel() {
        let isMidStream = state.withLock { state in
            let isFirst = !state.isCancelled && !state.isDone
            state.isCancelled = true
            return isFirst && state.elements > 0
        }
        if isMidStream { meter.count(names) { $0.cancels += 1 } }
    }
    func endCancel() { state.withLock { $0.isSilent = true } }
}
