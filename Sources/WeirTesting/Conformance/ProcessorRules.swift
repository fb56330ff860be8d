// Rules on an operator between its two sides: what it passes on, and when.

extension Conformance {
    static let processorRules: [Rule] = [
        Rule(
            "1.2 fewer may come than were asked for, then the end",
            where: { $0.isFed && !$0.traits.contains(.isEndless) }
        ) { trial in
            for end in trial.subject.ends {
                let run = trial.fed()
                run.request(45)
                run.send(1, 2, 3)
                run.finish(end)
                run.awaitEnd()
                trial.expect(run.probe.isDone, "upstream is over (\(end)) and demand is left: \(run.probe)")
            }
        },
        Rule("2.1 demand becomes a request upstream", where: { $0.isTransformer && !$0.traits.contains(.isEndless) }) {
            trial in
            let run = trial.fed()
            run.request(46)
            run.waitFor { !run.source.requests.isEmpty }
            trial.expect(!run.source.requests.isEmpty, "46 were asked for, and upstream was asked for nothing")
        },
        Rule("2.4 an upstream that has ended is not asked", where: { $0.isTransformer }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.fed()
                run.request(47)
                run.send(1, 2, 3)
                run.source.links.first(where: \.isOpen)?.send(completion: end)
                run.settle()
                // A stage that only passes on hands a request through, which after the end is downstream's own fault.
                if !run.probe.isDone {
                    run.request(2)
                    run.request(.unbounded)
                }
                let count = run.source.links.reduce(0) { $0 + $1.requestsAfterEnd }
                trial.expect(count == 0, "an upstream was asked \(count) times after it had ended")

                // Fewer are asked for than came: the end waits behind a queue.
                let late = trial.fed()
                late.request(1)
                guard let link = late.source.links.first(where: \.isOpen) else { continue }
                for element in 0..<8 { link.send(element) }
                link.send(completion: end)
                late.settle()
                if link.isOpen || link.cancels > 0 || late.probe.isDone { continue }
                late.request(6)
                if !late.probe.isDone { late.cancel() }
                trial.expect(
                    link.requestsAfterEnd == 0 && link.cancels == 0,
                    "an upstream whose end waited behind a queue was asked \(link.requestsAfterEnd) times"
                        + " and cancelled \(link.cancels) times")
            }
        },
        Rule(
            "3.10 elements may come inside the request",
            where: { $0.isTransformer && $0.isComparable && !$0.traits.contains(.attachesOften) }
        ) { trial in
            let later = trial.fed()
            later.request(.unbounded)
            for element in 0..<20 { later.send(element) }
            later.finish()
            later.awaitEnd()
            let atOnce = trial.reference(20)
            trial.expect(
                trial.subject.agree(atOnce, later.probe.elements),
                "an upstream that answers inside the request gave \(atOnce), one that answers later \(later.probe.elements)"
            )
        },
        Rule("3.11 the end may come inside the request", where: { !$0.traits.contains(.isEndless) }) { trial in
            for count in [0, 1] {
                for end in trial.subject.ends {
                    let run = trial.cold(count, end: end)
                    run.request(.unbounded)
                    run.awaitEnd()
                    trial.expect(
                        run.probe.isDone, "upstream ended inside the request after \(count) elements: \(run.probe)")
                }
            }
        },
        Rule("4.1 what was asked for long ago is still fetched", where: { $0.isTransformer && $0.isComplete }) {
            trial in
            let all = trial.fed()
            all.request(.unbounded)
            let run = trial.fed()
            run.request(49)
            for element in 0..<60 {
                all.send(element)
                run.send(element)
            }
            let wanted = Array(all.probe.elements.prefix(49))
            run.waitFor { run.probe.elements.count >= wanted.count }
            let isMet = trial.subject.isExact ? run.probe.elements == wanted : run.probe.elements.count == wanted.count
            trial.expect(
                isMet,
                "49 were asked for at first, \(wanted.count) could come, \(run.probe.elements.count) came")
        },
        Rule(
            "4.2 a failure is passed on at once",
            where: {
                $0.isTransformer
                    && $0.traits.isDisjoint(with: [
                        .isEndless, .handlesFailure, .dependsOnTime, .takesTime, .runsOnPool,
                    ])
            }
        ) { trial in
            let run = trial.fed()
            run.request(51)
            run.send(1)
            run.source.links.first(where: \.isOpen)?.send(completion: .failed(TestFailure("at once")))
            trial.expect(
                run.probe.completion == .failed(TestFailure("at once")) || run.probe.completion == .finished,
                "an upstream failed and the stream has not: \(run.probe)")
            let open = run.source.links.count(where: \.isOpen)
            trial.expect(!run.probe.isDone || open == 0, "\(open) upstreams are still open after the failure")
        },
        Rule(
            "no more is fetched ahead than a bounded number",
            where: { $0.isTransformer && !$0.traits.contains(.fetchesAll) }
        ) { trial in
            let run = trial.fed()
            run.request(53)
            for element in 0..<1_000 { run.push(element) }
            run.settle()
            let most = run.source.links.map { $0.requests.reduce(Demand(1)) { $0 + $1 }.count - 1 }.max() ?? 0
            trial.expect(most <= 53 + 256, "53 were asked for, and an upstream was asked for \(most)")
        },
        Rule("what it selects came in, in order", where: { $0.isFed && $0.traits.contains(.selects) }) { trial in
            let run = trial.fed()
            run.request(3)
            for element in 0..<40 {
                run.push(element)
                if element.isMultiple(of: 3) { run.settle() }
                if element == 20 { run.request(54) }
            }
            run.finish()
            run.request(.unbounded)
            run.awaitEnd()
            var input = (0..<40).map { "\($0)" }[...]
            for element in run.probe.elements {
                guard let place = input.firstIndex(of: element) else {
                    return trial.expect(false, "0 to 39 came in, and \(run.probe.elements) out")
                }
                input = input[(place + 1)...]
            }
        },
    ]
}
