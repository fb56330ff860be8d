// Rules on how an operator treats its upstreams.

extension Conformance {
    static let upstreamRules: [Rule] = [
        Rule("2.3 an upstream that ends is not called", where: { $0.isTransformer }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.fed()
                run.request(5)
                run.send(1, 2)
                run.finish(end)
                let calls = run.source.links.reduce(0) { $0 + $1.callsDuringEnd }
                trial.expect(calls == 0, "request or cancel was called \(calls) times while upstream signalled its end")
            }
        },
        Rule("2.6 a cancel reaches upstream", where: { $0.isTransformer }) { trial in
            for asks in [false, true] {
                let run = trial.fed()
                if asks {
                    run.request(3)
                    run.send(1)
                }
                run.cancel()
                let open = run.source.links.count(where: \.isOpen)
                trial.expect(open == 0, "\(open) upstreams are still open after the cancel")
            }
        },
        Rule("2.8 an element after a cancel asks for nothing", where: { $0.isTransformer }) { trial in
            let run = trial.fed(isStubborn: true)
            run.request(.unbounded)
            run.send(1)
            run.cancel()
            let count = run.source.requests.count
            run.send(2, 3)
            let more = run.source.requests.count - count
            trial.expect(more == 0, "upstream sent on after the cancel and was asked \(more) times for more")
        },
        Rule("one subscription upstream", where: { $0.isTransformer && !$0.traits.contains(.attachesOften) }) { trial in
            let run = trial.cold(20)
            run.request(3)
            run.request(.unbounded)
            run.awaitEnd()
            trial.expect(run.source.links.count == 1, "upstream was attached \(run.source.links.count) times")
        },
        Rule("at the end no upstream is open", where: { $0.isTransformer && !$0.traits.contains(.isEndless) }) {
            trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.fed()
                run.request(.unbounded)
                run.send(1, 2, 3, 4, 5)
                if !run.probe.isDone {
                    run.source.links.first?.send(completion: end)
                    run.settle()
                }
                guard run.probe.isDone else { continue }
                let open = run.source.links.count(where: \.isOpen)
                trial.expect(open == 0, "\(open) upstreams are still open after the end")
            }
        },
        Rule("upstream is cancelled before an early end is signalled", where: { $0.isTransformer }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.fed()
                run.request(.unbounded)
                run.send(1, 2, 3, 4, 5)
                if !run.probe.isDone {
                    run.source.links.first?.send(completion: end)
                    run.settle()
                }
                let lines = run.journal.lines
                let ends = ["finished"] + lines.filter { $0.hasPrefix("failed(") }
                guard let place = lines.firstIndex(where: { ends.contains($0) }) else { continue }
                let late = lines[place...].count { $0 == "up: cancel" }
                trial.expect(late == 0, "\(late) upstreams were cancelled after the end had been signalled")
            }
        },
    ]
}
