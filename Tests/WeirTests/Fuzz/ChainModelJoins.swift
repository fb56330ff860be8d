// The model of stages where several streams meet.

/// A signal of one of several streams.
private struct Signal {
    let time: Int
    let lane: Int
    /// nil: the end.
    let value: Int?
    let failure: String?

    static func list(_ lanes: [Heard]) -> [Signal] {
        var all: [Signal] = []
        for (lane, heard) in lanes.enumerated() {
            all += heard.events.map { Signal(time: $0.time, lane: lane, value: $0.value, failure: nil) }
            if let end = heard.end { all.append(Signal(time: end.time, lane: lane, value: nil, failure: end.failure)) }
        }
        // Stable: of one instant the stream that was asked first comes first, with all it has.
        return all.enumerated().sorted {
            ($0.element.time, $0.element.lane, $0.offset) < ($1.element.time, $1.element.lane, $1.offset)
        }.map(\.element)
    }
}

extension ChainModel {
    func merge(_ lanes: [Heard], _ bounded: Bool) -> Heard {
        let trust = lanes.map(\.trust).min() ?? .time
        var new = Heard(trust: loose(trust, bounded, fails: lanes.contains { $0.fails }))
        var open = lanes.count
        for signal in Signal.list(lanes) {
            if let value = signal.value {
                new.events.append(ChainEvent(time: signal.time, value: value))
                continue
            }
            open -= 1
            if open == 0 || signal.failure != nil {
                new.end = ChainEnd(time: signal.time, failure: signal.failure)
                break
            }
        }
        return new
    }
    /// What is left of the trust where streams interleave and a failure overtakes what waits.
    private func loose(_ trust: ChainTrust, _ bounded: Bool, fails: Bool) -> ChainTrust {
        if trust == .time && !bounded { return .time }
        return fails ? .rules : min(trust, .bag)
    }

    func zip(_ lanes: [Heard], _ bounded: Bool) -> Heard {
        var trust = lanes.map(\.trust).min() ?? .time
        if trust == .bag || (lanes.contains { $0.fails } && (bounded || trust < .time)) { trust = .rules }
        var new = Heard(trust: trust)
        var queues: [[Int]] = [[], []]
        var ended = [false, false]
        for signal in Signal.list(lanes) {
            if let value = signal.value {
                queues[signal.lane].append(value)
                if !queues.contains([]) {
                    let row = ChainRule.pair(queues[0].removeFirst(), queues[1].removeFirst())
                    new.events.append(ChainEvent(time: signal.time, value: row))
                }
            } else if let failure = signal.failure {
                new.end = ChainEnd(time: signal.time, failure: failure)
                return new
            } else {
                ended[signal.lane] = true
            }
            if (0...1).contains(where: { ended[$0] && queues[$0].isEmpty }) {
                new.end = ChainEnd(time: signal.time)
                return new
            }
        }
        return new
    }

    func combineLatest(_ lanes: [Heard], _ bounded: Bool) -> Heard {
        let isSure = lanes.allSatisfy { $0.trust == .time && !(bounded && $0.fails) }
        var new = Heard(trust: isSure ? .time : .rules)
        var latest: [Int?] = [nil, nil]
        var ended = [false, false]
        for signal in Signal.list(lanes) {
            if let value = signal.value {
                latest[signal.lane] = value
                if let a = latest[0], let b = latest[1] {
                    new.events.append(ChainEvent(time: signal.time, value: ChainRule.pair(a, b)))
                }
                continue
            }
            ended[signal.lane] = true
            if signal.failure != nil || !ended.contains(false) || latest[signal.lane] == nil {
                new.end = ChainEnd(time: signal.time, failure: signal.failure)
                break
            }
        }
        return new
    }

    /// A shared stream merged with itself: the second subscriber comes when the first has had what comes at once.
    func shareInTwo(_ up: Heard, _ replay: Int, _ start: Int, _ bounded: Bool) -> Heard {
        let other = { (event: ChainEvent) in ChainEvent(time: event.time, value: ChainRule.other(event.value)) }
        var new = up.trusting(bounded || up.trust < .time ? .rules : .time)
        if let end = up.end, end.time == start {
            // The connection is over: the second one makes its own.
            if !up.fails { new.events += up.events.map(other) }
            return new
        }
        let early = up.events.filter { $0.time == start }
        new.events = early + early.suffix(replay).map(other)
        for event in up.events.dropFirst(early.count) { new.events += [event, other(event)] }
        return new
    }

    func flatMapLatest(_ outer: Heard, _ inner: Chain, _ bounded: Bool) -> Heard {
        var new = outer.trusting(bounded ? .rules : .time)
        new.events = []
        var running: ChainEnd? = ChainEnd(time: 0)
        for (index, event) in outer.events.enumerated() {
            let limit =
                index + 1 < outer.events.count ? outer.events[index + 1].time : outer.fails ? outer.end?.time : nil
            // What comes at once comes before the next element.
            let isHeard = { (time: Int) in time == event.time || time < limit ?? .max }
            let stream = ChainModel(element: event.value).heard(inner, start: event.time, asked: .everything)
            new.trust = min(new.trust, stream.trust)
            new.events += stream.events.filter { isHeard($0.time) }
            running = stream.end
            if let end = stream.end, end.failure != nil, isHeard(end.time) {
                new.end = end
                break
            }
        }
        if new.trust < .time { new.trust = .rules }
        if new.fails && new.end != outer.end { return new }
        if let end = outer.end, !outer.fails {
            new.end = running.map { ChainEnd(time: max($0.time, end.time)) }
        }
        return new
    }

    /// Do two of the streams say something at one instant?
    private func areTied(_ lanes: [Heard]) -> Bool {
        var known: Set<Int> = []
        for lane in lanes {
            let own = Set(lane.events.map(\.time) + (lane.end.map { [$0.time] } ?? []))
            if !known.isDisjoint(with: own) { return true }
            known.formUnion(own)
        }
        return false
    }

    func flatMap(_ outer: Heard, _ most: Int?, _ inner: Chain, _ asked: Asked) -> Heard {
        var lanes: [Heard] = []
        var ends: [Int] = []
        var last = 0
        var isStuck = false
        for event in outer.events {
            var start = max(event.time, last)
            if let most {
                ends.removeAll { $0 <= start }
                if ends.count == most, let soonest = ends.min() {
                    start = soonest
                    ends.removeAll { $0 <= start }
                }
            }
            isStuck = start == .max
            if isStuck { break }
            last = start
            let model = ChainModel(element: event.value)
            let inner = { asked in model.heard(inner, start: start, asked: asked) }
            let stream = asked == .everything ? inner(asked) : short(inner)
            ends.append(stream.end?.time ?? .max)
            lanes.append(stream)
        }
        let isEndless = lanes.contains { $0.end == nil }
        let isOrdered = outer.trust >= .order && !lanes.contains { $0.trust < .order }
        let fails = outer.fails || lanes.contains { $0.fails }
        // The outer stream's end comes after its last element was taken.
        var end = outer.end
        end?.time = max(outer.end?.time ?? 0, last)
        lanes.append(Heard(end: isStuck ? nil : end, trust: outer.trust))
        var new = merge(lanes, asked == .little)
        if most != nil && inner.takesTime && areTied(lanes) { new.trust = min(new.trust, fails ? .rules : .bag) }
        if new.trust == .bag && isOrdered && most == 1 && !fails { new.trust = .order }
        if new.trust == .bag && most != nil && isEndless { new.trust = .rules }
        return new
    }
}
