// Rules on several subscribers of one stream.

extension Conformance {
    static let sharingRules: [Rule] = [
        Rule("1.11 several subscribers at once are served", where: { !$0.traits.contains(.isEndless) }) { trial in
            let second = Probe<String, TestFailure>()
            let run = trial.subject.isFed ? trial.fed() : trial.cold(20)
            second.attach(to: run.stream)
            defer { second.cancel() }
            if trial.subject.isFed {
                for probe in [run.probe, second] { probe.request(.unbounded) }
                run.send(1, 2, 3, 4, 5)
                run.finish()
            } else {
                for demand: Demand in [2, .unbounded] {
                    run.request(demand)
                    second.request(demand)
                }
            }
            run.awaitEnd()
            run.waitFor { second.isDone }
            trial.expect(
                second.completion == run.probe.completion,
                "of two subscribers one came to \(run.probe), one to \(second)")
            trial.expect(
                trial.subject.agree(second.elements, run.probe.elements),
                "of two subscribers one got \(run.probe.elements), one \(second.elements)")
        },
        Rule(
            "3.14 a cancel leaves other subscribers alone, the last one closes upstream", where: { $0.isTransformer }
        ) { trial in
            let second = Probe<String, TestFailure>()
            let run = trial.fed()
            second.attach(to: run.stream)
            run.ask(.unbounded)
            second.request(.unbounded)
            run.send(1)
            run.cancel()
            if !second.isDone {
                let open = run.source.links.count(where: \.isOpen)
                trial.expect(open > 0, "one of two subscribers has cancelled, and upstream is closed for both")
            }
            second.cancel()
            run.settle()
            // Where each has an upstream of its own, that is rule 2.6.
            guard trial.subject.traits.contains(.isShared) else { return }
            let open = run.source.links.count(where: \.isOpen)
            trial.expect(open == 0, "both subscribers have cancelled, and \(open) upstreams are open")
        },
    ]
}
