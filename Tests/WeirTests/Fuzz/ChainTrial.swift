import Weir
import WeirTesting

/// How a subscriber behaves.
struct ChainScript: Sendable {
    enum Asking: Sendable {
        case unbounded
        /// That many at a time, the next ones from inside the handler that has used up the last.
        case batches(Int)
        /// So many at these times, from outside.
        case outside([ChainEvent])
    }
    enum Cancel: Sendable {
        case never
        case beforeRequest
        /// Inside the handler of that element.
        case inside(Int)
        case at(Int)
    }
    var asking = Asking.unbounded
    var cancel = Cancel.never
    /// Answers false to every third number, which costs no demand.
    var drops = false
    /// Watches between all stages.
    var watchesAll = true

    func uses(_ value: Int) -> Bool { !drops || value % 3 != 0 }
    var isBounded: Bool { if case .unbounded = asking { false } else { true } }
}

extension ChainScript: CustomStringConvertible {
    var description: String {
        let asking =
            switch asking {
            case .unbounded: "everything"
            case .batches(let count): "\(count) at a time"
            case .outside(let events): events.map { "\($0)" }.joined(separator: ", ") + ", then everything"
            }
        return "asks for \(asking); cancels \(cancel)\(drops ? "; drops multiples of 3" : "")"
            + (watchesAll ? "" : "; no watch between the stages")
    }
}

/// Builds a chain, runs a script on it, and compares with the model.
struct ChainTrial: Sendable {
    var chain: Chain
    var script: ChainScript
    /// A stage that is built and that the model does not know: to see that the comparison finds it.
    var secret: ChainStage?

    struct Verdict: Sendable {
        var problems: [String] = []
        var trust: ChainTrust
        var counts: [String: ChainMeter.Count]
    }

    func run() -> Verdict {
        let model = ChainModel().heard(chain, start: 0, asked: script.isBounded ? .little : .everything)
        let clock = VirtualClock()
        let meter = ChainMeter()
        let script = script
        let probe = Probe<Int, TestFailure>(clock: clock) { probe, element in
            let uses = script.uses(element)
            if case .inside(probe.elements.count) = script.cancel { probe.cancel() }
            if uses, case .batches(let count) = script.asking, (probe.used + 1) % count == 0 {
                probe.request(Demand(count))
            }
            return uses
        }
        var verdict = Verdict(trust: model.trust, counts: [:])
        let builder = ChainBuilder(clock, watchesAll: script.watchesAll, meter: meter)
        probe.attach(
            to: builder.build(Chain(source: chain.source, stages: chain.stages + (secret.map { [$0] } ?? []))).risky)
        if probe.signalCount > 0 { verdict.problems.append("signals at attach") }
        start(probe, builder)
        verdict.problems += settle(clock)
        verdict.problems += compare(model, probe, "when all is quiet")
        if case .outside = script.asking {
            probe.request(.unbounded)
            verdict.problems += settle(clock)
            verdict.problems += compare(model, probe, "after everything was asked for")
        }
        if !probe.isDone { probe.cancel() }
        verdict.problems += settle(clock)
        if probe.faults != ProbeFaults() { verdict.problems.append("the subscriber saw \(probe.faults)") }
        verdict.problems += meter.faults
        if !probe.isReleased { verdict.problems.append("the handlers were not freed") }
        verdict.counts = meter.counts
        meter.close()
        return verdict
    }
    private func start(_ probe: Probe<Int, TestFailure>, _ builder: ChainBuilder) {
        switch script.cancel {
        case .beforeRequest: probe.cancel()
        case .at(let time): builder.at(time) { probe.cancel() }
        case .never, .inside: break
        }
        switch script.asking {
        case .unbounded: probe.request(.unbounded)
        case .batches(let count): probe.request(Demand(count))
        case .outside(let events):
            for event in events {
                if event.time == 0 {
                    probe.request(Demand(event.value))
                } else {
                    builder.at(event.time) { probe.request(Demand(event.value)) }
                }
            }
        }
    }
    private func settle(_ clock: VirtualClock) -> [String] {
        do {
            try clock.run(limit: 100_000)
            return []
        } catch { return ["\(error)"] }
    }

    // MARK: What must come of it

    /// As the model says, and as the script cuts it.
    private func expected(_ model: Heard, _ probe: Probe<Int, TestFailure>) -> Heard {
        var expected = model
        switch script.cancel {
        case .never: break
        case .beforeRequest: expected = model.keeping([], end: nil)
        case .inside(let count) where model.events.count >= count:
            expected = model.keeping(Array(model.events.prefix(count)), end: nil)
        case .inside: break
        case .at(let time):
            let end = model.end.flatMap { $0.time < time ? $0 : nil }
            expected = model.keeping(model.events.filter { $0.time < time }, end: end)
        }
        guard probe.requested != .max, case .outside = script.asking else { return expected }
        var used = 0
        for (index, event) in expected.events.enumerated() {
            // What was not asked for has not come, nor the end behind it.
            if used == probe.requested { return expected.keeping(Array(expected.events.prefix(index)), end: nil) }
            if script.uses(event.value) { used += 1 }
        }
        return expected
    }
    private func compare(_ model: Heard, _ probe: Probe<Int, TestFailure>, _ moment: String) -> [String] {
        if model.trust == .rules { return [] }
        let expected = expected(model, probe)
        let heard = heard(probe)
        if model.trust == .bag { return compareBag(model, expected, heard, probe, moment) }
        if case .at = script.cancel, script.isBounded || model.trust < .time {
            let isPrefix = heard.events.map(\.value) == model.events.prefix(heard.events.count).map(\.value)
            return isPrefix ? [] : [difference(model, heard, "\(moment), a beginning of")]
        }
        // Elements that a stage would drop may stand before the end, and wait for demand.
        let isSpent = probe.used == probe.requested
        let isSame =
            model.trust == .time && !script.isBounded
            ? heard.events == expected.events && heard.end == expected.end
            : heard.events.map(\.value) == expected.events.map(\.value)
                && (heard.end.map(\.failure) == expected.end.map(\.failure) || (isSpent && heard.end == nil))
        return isSame ? [] : [difference(expected, heard, moment)]
    }
    private func compareBag(
        _ model: Heard, _ expected: Heard, _ heard: Heard, _ probe: Probe<Int, TestFailure>, _ moment: String
    ) -> [String] {
        var left = model.events.map(\.value).sorted()
        for event in heard.events {
            guard let index = left.firstIndex(of: event.value) else {
                return [difference(model, heard, "\(moment), in any order, some of")]
            }
            left.remove(at: index)
        }
        if case .never = script.cancel, probe.requested == .max || !isOutside {
            let isSame = left.isEmpty && heard.end.map(\.failure) == model.end.map(\.failure)
            return isSame ? [] : [difference(model, heard, "\(moment), in any order")]
        }
        return []
    }
    private var isOutside: Bool { if case .outside = script.asking { true } else { false } }

    private func heard(_ probe: Probe<Int, TestFailure>) -> Heard {
        var heard = Heard()
        for record in probe.records {
            let offset = (record.time?.offset ?? .zero).components
            let time = Int(offset.seconds) * 1_000_000_000 + Int(offset.attoseconds / 1_000_000_000)
            switch record.signal {
            case .next(let value): heard.events.append(ChainEvent(time: time, value: value))
            case .done(let completion): heard.end = ChainEnd(time: time, failure: completion.failure?.label)
            }
        }
        return heard
    }
    private func difference(_ expected: Heard, _ heard: Heard, _ moment: String) -> String {
        func text(_ stream: Heard) -> String {
            (stream.events.map { "\($0)" } + [stream.end.map { "\($0)" } ?? "no end"]).joined(separator: ", ")
        }
        return "\(moment): expected (\(expected.trust)) \(text(expected))\n    heard \(text(heard))"
    }
}

extension ChainTrial: CustomStringConvertible {
    var description: String { "\(chain)\n\(script)" }

    /// Less to read that still goes wrong.
    func shrunk() -> ChainTrial {
        var best = self
        var tries = 0
        while tries < 2_000,
            let next = best.smaller.first(where: {
                tries += 1; return !$0.run().problems.isEmpty
            })
        {
            best = next
        }
        return best
    }
    private var smaller: [ChainTrial] {
        var scripts: [ChainScript] = []
        if script.isBounded { scripts.append(ChainScript(cancel: script.cancel, watchesAll: script.watchesAll)) }
        if script.drops { scripts.append(ChainScript(asking: script.asking, cancel: script.cancel)) }
        if case .never = script.cancel {
        } else {
            scripts.append(ChainScript(asking: script.asking, drops: script.drops))
        }
        return chain.smaller.map { ChainTrial(chain: $0, script: script) }
            + scripts.map { ChainTrial(chain: chain, script: $0) }
    }
}
