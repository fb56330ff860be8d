/// How much of what the model says must come true.
///
/// A subscriber that asks for everything gets exactly the model's elements at the model's times. Bounded demand moves
/// elements in time, and so the order in which several upstreams meet.
enum ChainTrust: Int, Comparable {
    /// Nothing but the rules of streams.
    case rules
    /// These elements and this end, in any order.
    case bag
    /// These elements in this order and this end, at any time.
    case order
    /// Each element and the end at its instant, or as soon after as there is demand.
    case time
    static func < (a: ChainTrust, b: ChainTrust) -> Bool { a.rawValue < b.rawValue }
}

/// What a stream says: the model's whole idea of one.
struct Heard {
    var events: [ChainEvent] = []
    /// nil: never ends.
    var end: ChainEnd?
    var trust = ChainTrust.time

    var fails: Bool { end?.failure != nil }

    /// Elements changed, dropped (`.some(nil)`), or turned into a failure by a throw.
    func mapping(_ change: (Int) throws(ModelFailure) -> Int?) -> Heard {
        var new = Heard(end: end, trust: trust)
        for event in events {
            do throws(ModelFailure) {
                if let value = try change(event.value) { new.events.append(ChainEvent(time: event.time, value: value)) }
            } catch {
                new.end = ChainEnd(time: event.time, failure: error.label)
                if trust == .bag { new.trust = .rules }
                break
            }
        }
        return new
    }
    /// For a stage that looks at the order of elements.
    var inOrder: Heard { trusting(trust == .bag ? .rules : trust) }
    func trusting(_ limit: ChainTrust) -> Heard { Heard(events: events, end: end, trust: min(trust, limit)) }
    func keeping(_ events: [ChainEvent], end: ChainEnd?) -> Heard { Heard(events: events, end: end, trust: trust) }
}

struct ModelFailure: Error { let label: String }

/// Says what a chain emits, by lists alone: slow and plain.
///
/// - `start`: when the stream is subscribed to.
/// - `asked`: how its subscriber asks.
struct ChainModel {
    /// What `ChainSource.element` counts from.
    var element = 0
    /// So many elements the joining operators fetch ahead at least; a shorter upstream never feels a bound.
    static let ahead = 20

    enum Asked {
        case everything
        /// A number that is larger than what there is; only stages that fetch ahead themselves feel it.
        case enough
        /// Perhaps less than there is, at any time.
        case little
    }

    func heard(_ chain: Chain, start: Int, asked: Asked) -> Heard { heard(chain, chain.stages.count, start, asked) }

    private func heard(_ chain: Chain, _ count: Int, _ start: Int, _ asked: Asked) -> Heard {
        if count == 0 { return heard(chain.source, start) }
        let up = { asked in heard(chain, count - 1, start, asked) }
        let side = chain.stages[count - 1].side
        let other = { (asked: Asked) in side.map { heard($0, start: start, asked: asked) } ?? Heard() }
        let bounded = asked == .little
        switch chain.stages[count - 1] {
        case .map(let number): return up(asked).mapping { $0 &+ number }
        case .mapThrowing(let rest):
            return up(asked).mapping { value throws(ModelFailure) in
                if ChainRule.throwing(rest, value) { throw ModelFailure(label: "map") }
                return value
            }
        case .filter(let number): return up(asked).mapping { $0 % number != 0 ? $0 : nil }
        case .filterThrowing(let rest):
            return up(asked).mapping { value throws(ModelFailure) in
                if ChainRule.throwing(rest, value) { throw ModelFailure(label: "filter") }
                return value
            }
        case .compactMap(let number): return up(asked).mapping { $0 % number == 0 ? nil : $0 &+ 1 }
        case .decode(let limit):
            return up(asked).mapping { value throws(ModelFailure) in
                if value > limit { throw ModelFailure(label: "decode") }
                return value
            }
        case .scan:
            var sum = 1
            return up(asked).inOrder.mapping {
                sum = ChainRule.accumulate(sum, $0)
                return sum
            }
        case .removeDuplicates:
            var last: Int?
            return up(asked).inOrder.mapping { value in
                if let last, ChainRule.areEqual(last, value) { return nil }
                last = value
                return value
            }
        case .prefix(let count): return prefix(count, of: up(asked).inOrder, start)
        case .prefixWhile(let rest):
            let up = up(asked).inOrder
            guard let last = up.events.firstIndex(where: { ChainRule.ending(rest, $0.value) }) else { return up }
            return up.keeping(Array(up.events[..<last]), end: ChainEnd(time: up.events[last].time))
        case .dropFirst(let count):
            let up = up(asked).inOrder
            return up.keeping(Array(up.events.dropFirst(count)), end: up.end)
        case .mapError, .setFailureType, .share, .replaceError, .catch, .concat:
            return sequel(chain.stages[count - 1], up(asked), asked)
        case .debounce(let quiet, let flushes): return debounce(up(.everything), quiet, flushes, bounded)
        case .delay(let time): return delay(up(.everything), time, bounded)
        case .throttle(let time, let latest): return throttle(up(.everything), time, latest, bounded)
        case .buffer: return up(.everything)
        case .debug, .named: return up(asked)
        case .repeat(let rounds):
            if rounds <= 0 { return Heard(end: ChainEnd(time: start)) }
            // Whoever comes back to a share inside the signal with which he left may find it still connected.
            let first = chain.names.contains("Share") ? up(asked).trusting(.rules) : up(asked)
            return (1..<rounds).reduce(first) { all, _ in
                guard !all.fails, let end = all.end else { return all }
                let isHot = chain.isHot
                return follow(all, end.time, heard(chain, count - 1, end.time, asked), isHot, chain.takesTime, asked)
            }
        case .receive(let lag, let prefetch):
            // A request that comes later makes it look early for what to deliver.
            let free = up(.enough)
            let isFree = free.events.count < prefetch * 3 / 4
            return receive(isFree ? free : up(.little).trusting(.order), lag).trusting(
                asked == .everything ? .time : .order)
        case .merge:
            let lanes = asked == .enough ? [short(up), short(other)] : [up(asked), other(asked)]
            return merge(lanes, bounded)
        case .zip: return zip([short(up), short(other)], bounded)
        case .combineLatest:
            let lanes = asked == .everything ? [up(asked), other(asked)] : [short(up), short(other)]
            return combineLatest(lanes, bounded)
        case .shareInTwo(let replay):
            return shareInTwo(asked == .everything ? up(.everything) : short(up), replay, start, bounded)
        case .flatMapLatest(let inner): return flatMapLatest(up(.everything), inner, asked != .everything)
        case .flatMap(nil, let inner): return flatMap(up(.everything), nil, inner, asked)
        case .flatMap(let most?, let inner):
            let free = up(bounded ? .little : .enough)
            // A throw behind the last element that may start comes when one more may: nobody says when.
            let isFree = free.events.count < most
            return flatMap(isFree ? free : up(.little), most, inner, asked).trusting(
                isFree || !free.fails ? .time : .rules)
        }
    }
    /// An upstream of a joining operator that fetches ahead, so that a short one is asked for everything.
    func short(_ stream: (Asked) -> Heard) -> Heard {
        let free = stream(.enough)
        return free.events.count <= Self.ahead ? free : stream(.little).trusting(.order)
    }

    private func heard(_ source: ChainSource, _ start: Int) -> Heard {
        func list(_ values: some Sequence<Int>) -> Heard {
            Heard(events: values.map { ChainEvent(time: start, value: $0) }, end: ChainEnd(time: start))
        }
        switch source {
        case .sequence(let values), .created(let values, false): return list(values)
        case .created(let values, true):
            return list(values).keeping(list(values).events, end: ChainEnd(time: start, failure: "create"))
        case .just(let value): return list([value])
        case .element(let count): return list(element..<element + count)
        case .empty: return list([])
        case .never: return Heard()
        case .fail: return Heard(end: ChainEnd(time: start, failure: "fail"))
        case .publish(let feed): return heard(feed, start)
        case .behavior(let first, let feed):
            var stream = heard(feed, start)
            if let end = feed.end, end.time <= start { return stream }
            let current = feed.sends.last { $0.time <= start }?.value ?? first
            stream.events.insert(ChainEvent(time: start, value: current), at: 0)
            return stream
        }
    }
    private func heard(_ feed: ChainFeed, _ start: Int) -> Heard {
        let end = feed.end.map { ChainEnd(time: max($0.time, start), failure: $0.failure) }
        return Heard(events: feed.sends.filter { $0.time > start && $0.time < end?.time ?? .max }, end: end)
    }

    private func prefix(_ count: Int, of up: Heard, _ start: Int) -> Heard {
        if count <= 0 { return Heard(end: ChainEnd(time: start)) }
        if up.events.count < count { return up }
        return up.keeping(Array(up.events.prefix(count)), end: ChainEnd(time: up.events[count - 1].time))
    }

    /// What happens at an upstream's end.
    private func sequel(_ stage: ChainStage, _ up: Heard, _ asked: Asked) -> Heard {
        guard let end = up.end else { return up }
        switch stage {
        case .mapError:
            return up.keeping(up.events, end: ChainEnd(time: end.time, failure: end.failure.map { $0 + "'" }))
        case .replaceError(let value) where up.fails:
            return up.inOrder.keeping(
                up.events + [ChainEvent(time: end.time, value: value)], end: ChainEnd(time: end.time))
        case .catch(let next) where up.fails: return follow(up, end.time, next, asked)
        case .concat(let next) where !up.fails: return follow(up, end.time, next, asked)
        default: return up
        }
    }
    private func follow(_ up: Heard, _ time: Int, _ next: Chain, _ asked: Asked) -> Heard {
        follow(up, time, heard(next, start: time, asked: asked), next.isHot, next.takesTime, asked)
    }
    private func follow(
        _ up: Heard, _ time: Int, _ rest: Heard, _ isHot: Bool, _ takesTime: Bool, _ asked: Asked
    ) -> Heard {
        let both = Heard(events: up.events + rest.events, end: rest.end, trust: min(up.trust, rest.trust))
        if up.trust == .time && !(asked == .little && takesTime) { return both }
        // The next stream starts at another time than the model says.
        return both.trusting(isHot ? .rules : .order)
    }

    private func debounce(_ up: Heard, _ quiet: Int, _ flushes: Bool, _ bounded: Bool) -> Heard {
        var new = up.trusting(up.trust == .time && !(bounded && up.fails) ? .time : .rules)
        new.events = []
        for (index, event) in up.events.enumerated() {
            let due = event.time + quiet
            let next = index + 1 < up.events.count ? up.events[index + 1].time : .max
            if due < min(next, up.end?.time ?? .max) {
                new.events.append(ChainEvent(time: due, value: event.value))
            } else if next == .max, flushes, !up.fails, let end = up.end {
                new.events.append(ChainEvent(time: end.time, value: event.value))
            }
        }
        return new
    }
    private func throttle(_ up: Heard, _ time: Int, _ latest: Bool, _ bounded: Bool) -> Heard {
        var new = up.trusting(up.trust == .time && !(bounded && up.fails) ? .time : .rules)
        new.events = []
        var opens = Int.min
        var kept: Int?
        func close(until now: Int) {
            while let value = kept, opens <= now {
                new.events.append(ChainEvent(time: opens, value: value))
                kept = nil
                opens += time
            }
        }
        for event in up.events {
            close(until: event.time - 1)
            if event.time < opens {
                if latest { kept = event.value }
            } else {
                new.events.append(event)
                opens = event.time + time
            }
        }
        guard let end = up.end else {
            close(until: .max)
            return new
        }
        close(until: end.time - 1)
        if let kept, !up.fails { new.events.append(ChainEvent(time: end.time, value: kept)) }
        return new
    }
    private func delay(_ up: Heard, _ time: Int, _ bounded: Bool) -> Heard {
        let events = up.events.map { ChainEvent(time: $0.time + time, value: $0.value) }
        guard let end = up.end else { return up.keeping(events, end: nil) }
        if !up.fails { return up.keeping(events, end: ChainEnd(time: end.time + time)) }
        // A failure overtakes what is under way.
        return up.trusting(bounded || up.trust < .time ? .rules : .time)
            .keeping(events.filter { $0.time <= end.time }, end: end)
    }
    /// One delivery on the scheduler takes all that has come until it runs.
    private func receive(_ up: Heard, _ lag: Int) -> Heard {
        var due = -1
        func delivered(_ time: Int) -> Int {
            if time > due { due = time + lag }
            return due
        }
        let events = up.events.map { ChainEvent(time: delivered($0.time), value: $0.value) }
        return up.keeping(events, end: up.end.map { ChainEnd(time: delivered($0.time), failure: $0.failure) })
    }
}
