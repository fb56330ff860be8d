// Rules on demand: never more than was asked for, and never less where there is more.

extension Conformance {
    static let demandRules: [Rule] = [
        Rule("law of attach: nothing happens before the first request") { trial in
            let runs = [trial.cold(20), trial.cold(0), trial.cold(3, end: .failed(TestFailure()))]
            for run in runs {
                run.settle()
                let count = run.probe.signalCount
                trial.expect(count == 0, "\(count) signals came before the first request")
                trial.expect(run.source.requests.isEmpty, "upstream was asked before the first request")
            }
        },
        Rule(
            "law of attach: an early end comes at the first request",
            where: { $0.isFed && !$0.traits.contains(.isEndless) }
        ) { trial in
            for end in trial.subject.ends {
                let run = trial.fed()
                run.finish(end)
                trial.expect(run.probe.signalCount == 0, "the end came before the first request")
                run.request(2)
                run.awaitEnd()
                trial.expect(run.probe.isDone, "upstream was over before the first request, and no end came at it")
            }
        },
        Rule("1.1 never more than was asked for") { trial in
            let cold = trial.cold(50)
            for demand: Demand in [1, 1, 3, 5] { cold.request(demand) }
            trial.expect(cold.probe.faults.excess == 0, "\(cold.probe.faults.excess) elements were not asked for")
            guard trial.subject.isFed else { return }
            let fed = trial.fed()
            fed.request(2)
            fed.send(0, 1, 2, 3, 4, 5)
            fed.request(1)
            fed.finish()
            trial.expect(fed.probe.faults.excess == 0, "\(fed.probe.faults.excess) elements were not asked for")
        },
        Rule("3.2 a request from inside a handler counts") { trial in
            let wanted = trial.reference(200).count
            let run = trial.cold(
                200,
                next: { run, _ in
                    run.ask(1)
                    return true
                })
            run.request(1)
            run.awaitEnd()
            trial.expect(
                run.probe.isDone || trial.subject.traits.contains(.isEndless),
                "asking for one more at each element stopped after \(run.probe)")
            if trial.subject.isExact {
                let count = run.probe.elements.count
                trial.expect(count == wanted, "asking for one more at each element gave \(count) of \(wanted)")
            }
        },
        Rule(
            "asked one by one it says the same",
            where: { $0.isComparable && !$0.isExact && !$0.traits.contains(.isEndless) }
        ) { trial in
            let plain = trial.referenceRun(30)
            let run = trial.cold(30)
            for _ in 0..<200 where !run.probe.isDone {
                let count = run.probe.signalCount
                run.request(1)
                run.waitFor { run.probe.signalCount > count }
            }
            trial.expect(
                trial.subject.agree(run.probe.elements, plain.elements),
                "at once it said \(plain.elements), asked one by one \(run.probe.elements)")
        },
        Rule("3.3 a request from inside a handler does not recurse") { trial in
            let run = trial.cold(
                300,
                next: { run, _ in
                    run.ask(1)
                    return true
                })
            run.request(1)
            run.awaitEnd()
            trial.expect(run.probe.faults.nested == 0, "\(run.probe.faults.nested) signals ran inside another one")
        },
        Rule("3.6 a request after a cancel does nothing") { trial in
            for demand: Demand? in [nil, 6] {
                let run = trial.cold(50)
                if let demand { run.request(demand) }
                run.cancel()
                let count = run.probe.signalCount
                run.request(5)
                run.request(.unbounded)
                let more = run.probe.signalCount - count
                trial.expect(more == 0, "requests after the cancel brought \(more) signals")
            }
        },
        Rule("3.8 requests add up", where: { $0.isComplete }) { trial in
            let wanted = min(5, trial.reference(100).count)
            let run = trial.cold(100)
            run.ask(2)
            run.ask(3)
            run.waitFor { run.probe.elements.count >= wanted }
            trial.expect(
                run.probe.elements.count >= wanted, "2 and 3 were asked for, \(run.probe.elements.count) came")
        },
        Rule("3.17 demand has no upper end", where: { !$0.traits.contains(.isEndless) }) { trial in
            let plain = trial.referenceRun(50)
            let run = trial.cold(50)
            let nearly = Demand(.max - 1)
            for demand: Demand in [1, nearly, nearly, .unbounded, .unbounded, 1] { run.request(demand) }
            run.awaitEnd()
            if plain.isDone {
                trial.expect(run.probe.completion == plain.completion, "at great demands it came to \(run.probe)")
            }
            trial.expect(
                trial.subject.agree(run.probe.elements, plain.elements), "at great demands it came to \(run.probe)")
        },
        Rule("a refused element costs no demand", where: { $0.isComplete }) { trial in
            let wanted = min(7, trial.reference(50).count)
            let run = trial.cold(50, next: { run, _ in run.probe.elements.count.isMultiple(of: 2) })
            run.request(4)
            run.waitFor { run.probe.elements.count >= wanted }
            let count = run.probe.elements.count
            trial.expect(count >= wanted, "4 were asked for and every second refused: \(count) came and not \(wanted)")
        },
        Rule("upstream is asked for what downstream asks for", where: { $0.traits.contains(.passesDemand) }) { trial in
            let run = trial.fed()
            let demands: [Demand] = [3, 2, .unbounded]
            for demand in demands { run.request(demand) }
            trial.expect(run.source.requests == demands, "upstream was asked for \(run.source.requests)")
        },
    ]
}
