// Rules on what a stream says: grammar, ends, cancels. Each check looks at its own rule alone, so that a fault shows
// under one name.

extension Conformance {
    static let signalRules: [Rule] = [
        Rule("1.4 a failure is signalled as a failure", where: { $0.isFed && !$0.traits.contains(.handlesFailure) }) {
            trial in
            let run = trial.fed()
            run.request(.unbounded)
            run.send(1, 2)
            let hadEnded = run.probe.isDone
            run.finish(.failed(TestFailure("told")))
            run.awaitEnd()
            guard !hadEnded, !trial.subject.traits.contains(.isEndless) else { return }
            trial.expect(
                run.probe.completion == .failed(TestFailure("told")),
                "upstream failed, and what came was \(run.probe)")
        },
        Rule("1.5 an end is signalled", where: { !$0.traits.contains(.isEndless) }) { trial in
            let run = trial.cold(20)
            run.request(.unbounded)
            run.awaitEnd()
            trial.expect(run.probe.isDone, "upstream has finished and the stream has not: \(run.probe)")
        },
        Rule("1.6 the end is the end of the subscription") { trial in
            let run = trial.cold(5)
            run.request(.unbounded)
            run.awaitEnd()
            guard run.probe.isDone else { return }
            let count = run.probe.signalCount
            run.request(3)
            run.request(.unbounded)
            run.cancel()
            let more = run.probe.signalCount - count
            trial.expect(more == 0, "request and cancel after the end brought \(more) more signals")
        },
        Rule("1.7 nothing follows the end") { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let cold = trial.cold(5, end: end)
                cold.request(.unbounded)
                cold.awaitEnd()
                cold.settle()
                trial.expect(
                    cold.probe.faults.afterEnd == 0, "\(cold.probe.faults.afterEnd) signals came after the end")
                guard trial.subject.isFed else { continue }
                let fed = trial.fed()
                fed.request(.unbounded)
                fed.send(1, 2)
                fed.finish(end)
                fed.send(3)
                fed.finish()
                trial.expect(fed.probe.faults.afterEnd == 0, "\(fed.probe.faults.afterEnd) signals came after the end")
            }
        },
        Rule("1.8 nothing follows a cancel") { trial in
            for count in [1, 3] {
                for demand: Demand in [.unbounded, 40] {
                    let run = trial.cold(
                        50,
                        next: { run, _ in
                            if run.probe.elements.count == count { run.probe.cancel() }
                            return true
                        })
                    run.request(demand)
                    let late = run.probe.faults.afterCancel
                    trial.expect(late == 0, "\(late) signals came after a cancel inside element \(count)")
                }
            }
        },
        Rule(
            "1.10 each subscription starts anew",
            where: { $0.traits.isDisjoint(with: [.isShared, .isEndless]) && !$0.isHot }
        ) { trial in
            let first = trial.cold(20)
            first.request(.unbounded)
            first.awaitEnd()
            let second = Probe<String, TestFailure>()
            second.attach(to: first.stream)
            second.request(.unbounded)
            first.waitFor { second.isDone }
            trial.expect(
                second.completion == first.probe.completion, "the second subscription ended with \(second)")
            trial.expect(
                trial.subject.agree(second.elements, first.probe.elements),
                "the second subscription got \(second.elements.count) elements, not the same \(first.probe.elements.count)"
            )
        },
        Rule("2.9 an end needs no demand", where: { !$0.traits.contains(.isEndless) }) { trial in
            if trial.subject.isFed {
                for end in trial.subject.ends {
                    let run = trial.fed()
                    run.request(2)
                    run.finish(end)
                    run.awaitEnd()
                    trial.expect(run.probe.isDone, "upstream is over (\(end)) without an element, the stream is not")
                }
            }
            let count = trial.reference(20).count
            // A stage that drops has to look further before it can know of the end.
            guard trial.subject.isExact, count > 0, !trial.subject.isTransformer || count == 20 else { return }
            let run = trial.cold(20)
            run.request(Demand(count))
            run.awaitEnd()
            trial.expect(
                run.probe.isDone, "all \(count) elements were asked for and came, and the end waits for more demand")
        },
        Rule("3.7 a second cancel does nothing") { trial in
            for demand: Demand? in [nil, 4] {
                let run = trial.cold(50)
                if let demand { run.request(demand) }
                run.cancel()
                let count = run.probe.signalCount
                run.cancel()
                run.cancel()
                let more = run.probe.signalCount - count
                trial.expect(more == 0, "more cancels brought \(more) signals")
            }
        },
    ]
}
