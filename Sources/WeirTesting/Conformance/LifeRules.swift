// Rules on what is freed, and when.

extension Conformance {
    static let lifeRules: [Rule] = [
        Rule("3.13 a cancel frees the observer") { trial in
            func check(_ run: Scenario, _ when: String) {
                run.waitFor { run.probe.isReleased }
                trial.expect(run.probe.isReleased, "the handlers are kept after a cancel \(when)")
            }
            let fresh = trial.cold(50)
            fresh.cancel()
            check(fresh, "before the first request")
            let idle = trial.cold(50)
            idle.request(2)
            idle.cancel()
            if idle.probe.completion == nil { check(idle, "between two requests") }
            let busy = trial.cold(
                50,
                next: { run, _ in
                    run.probe.cancel()
                    return true
                })
            busy.request(.unbounded)
            if busy.probe.signalCount > 0 && busy.probe.completion == nil { check(busy, "inside an element") }
            guard trial.subject.isFed else { return }
            let fed = trial.fed()
            fed.request(2)
            fed.send(1)
            fed.cancel()
            if fed.probe.completion == nil { check(fed, "while upstream is open") }
        },
        Rule("the end frees the observer", where: { !$0.traits.contains(.isEndless) }) { trial in
            for end in [Completion<TestFailure>.finished, .failed(TestFailure())] {
                let run = trial.cold(10, end: end)
                run.request(.unbounded)
                run.awaitEnd()
                guard run.probe.isDone else { continue }
                run.waitFor { run.probe.isReleased }
                trial.expect(run.probe.isReleased, "the handlers are kept after the end")
            }
        },
        Rule("teardown runs exactly once", where: { $0.traits.contains(.hasTeardown) }) { trial in
            func check(_ run: Scenario, _ when: String) {
                run.waitFor { run.teardowns.withLock { $0 } > 0 }
                run.request(.unbounded)
                run.cancel()
                run.cancel()
                let count = run.teardowns.withLock { $0 }
                trial.expect(count == 1, "\(when) it ran \(count) times")
            }
            let cancelled = trial.cold(50)
            cancelled.request(1)
            cancelled.cancel()
            check(cancelled, "after a cancel")
            let inside = trial.cold(
                50,
                next: { run, _ in
                    run.probe.cancel()
                    return true
                })
            inside.request(.unbounded)
            check(inside, "after a cancel inside an element")
            guard !trial.subject.traits.contains(.isEndless) else { return }
            let ended = trial.cold(3, done: { $0.probe.cancel() })
            ended.request(.unbounded)
            ended.awaitEnd()
            check(ended, "after an end with a cancel inside")
            guard trial.subject.isFed else { return }
            let failed = trial.cold(3, end: .failed(TestFailure()))
            failed.request(.unbounded)
            failed.awaitEnd()
            check(failed, "after a failure")
        },
    ]
}
