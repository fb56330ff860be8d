// Rules on handlers that come back: they send, subscribe and cancel from inside.

extension Conformance {
    static let reentrancyRules: [Rule] = [
        Rule("a handler may send", where: { $0.isFed && $0.isComparable }) { trial in
            let plain = trial.fed()
            plain.request(.unbounded)
            plain.send(1, 11, 12, 13, 2)
            plain.finish()
            plain.awaitEnd()
            let isArmed = Guarded(false)
            let hasSent = Guarded(false)
            let run = trial.fed(next: { run, _ in
                let isFirst = isArmed.withLock { isArmed in
                    let isFirst = isArmed
                    isArmed = false
                    return isFirst
                }
                if isFirst {
                    for element in 11...13 { run.push(element) }
                    hasSent.withLock { $0 = true }
                }
                return true
            })
            run.request(.unbounded)
            isArmed.withLock { $0 = true }
            run.send(1)
            // An operator that emits later has later feedback.
            guard run.waitFor({ hasSent.withLock { $0 } }) else { return }
            run.send(2)
            run.finish()
            run.awaitEnd()
            trial.expect(
                trial.subject.agree(run.probe.elements, plain.probe.elements),
                "elements sent from inside a handler came as \(run.probe.elements), not as \(plain.probe.elements)")
        },
        Rule("a handler may subscribe") { trial in
            let second = Probe<String, TestFailure>()
            let run = trial.cold(
                20,
                next: { run, _ in
                    if run.probe.elements.count == 1 {
                        second.attach(to: run.stream)
                        second.request(.unbounded)
                    }
                    return true
                })
            run.request(.unbounded)
            run.awaitEnd()
            guard run.probe.elements.count > 0, !trial.subject.traits.contains(.isEndless) else {
                return second.cancel()
            }
            if run.probe.isDone { run.waitFor { second.isDone } }
            trial.expect(
                second.isDone || !run.probe.isDone, "a stream subscribed from inside its own handler came to \(second)")
            guard !trial.subject.traits.contains(.isShared) else { return }
            trial.expect(second.elements.count > 0, "a stream subscribed from inside its own handler gave no elements")
        },
        Rule("the end's handler may subscribe", where: { !$0.traits.contains(.isEndless) && !$0.isHot }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let second = Probe<String, TestFailure>()
                let run = trial.cold(
                    4, end: end,
                    done: { run in
                        second.attach(to: run.stream)
                        second.request(.unbounded)
                    })
                run.request(.unbounded)
                run.awaitEnd()
                guard run.probe.isDone else { continue }
                run.waitFor { second.isDone }
                trial.expect(second.isDone, "a stream subscribed from inside its own end came to \(second)")
                second.cancel()
            }
        },
        Rule("the end's handler may send", where: { $0.isFed && !$0.traits.contains(.isEndless) }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let plain = trial.fed()
                let other = trial.fed()
                for run in [plain, other] { run.request(58) }
                let before = Guarded(0)
                let run = trial.fed(done: { run in
                    before.withLock { $0 = run.probe.elements.count }
                    run.push(90)
                    run.close(.finished)
                    for element in 1...3 { other.push(element) }
                    other.close(.finished)
                })
                for element in 1...3 { plain.push(element) }
                plain.finish()
                run.request(55)
                run.send(1, 2)
                run.finish(end)
                run.awaitEnd()
                guard run.probe.isDone else { continue }
                let more = run.probe.elements.dropFirst(before.withLock { $0 })
                trial.expect(more.isEmpty, "what was sent from inside the end came: \(more)")
                other.awaitEnd()
                trial.expect(
                    other.probe.isDone && trial.subject.agree(other.probe.elements, plain.probe.elements),
                    "another stream was fed from inside the end, and came to \(other.probe)")
            }
        },
        Rule("the end's handler may ask and cancel", where: { !$0.traits.contains(.isEndless) }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.cold(
                    3, end: end,
                    done: { run in
                        run.probe.request(5)
                        run.probe.cancel()
                        run.probe.request(.unbounded)
                    })
                run.request(.unbounded)
                run.awaitEnd()
                run.settle()
                let more = run.probe.faults.afterCancel
                trial.expect(more == 0, "\(more) signals came after a cancel inside the end")
            }
        },
    ]
}
