import Testing
import WeirTesting

@Suite struct ProbeTests {
    @Test func recordsElementsTimesAndTheEnd() throws {
        let clock = VirtualClock()
        let source = TestSource<Int, TestFailure>()
        let probe = Probe<Int, TestFailure>(clock: clock)
        probe.attach(to: source)
        probe.request(.unbounded)
        source.send(1)
        clock.advance(by: .frames(3))
        source.send(2)
        source.fail(TestFailure("late"))
        #expect(probe.elements == [1, 2])
        #expect(probe.records.map { $0.time?.frame } == [0, 3, 3])
        #expect(Set(probe.records.map(\.thread)).count == 1)
        #expect(probe.completion == .failed(TestFailure("late")))
        #expect("\(probe)" == "Probe(2 elements, failed(TestFailure(late)))")
        #expect(probe.faults == ProbeFaults())
    }

    @Test func addsDemandsUp() {
        let probe = Probe<Int, TestFailure>()
        probe.attach(to: TestSource<Int, TestFailure>([1, 2, 3, 4, 5], end: .finished))
        probe.request(2)
        #expect(probe.elements == [1, 2] && probe.requested == 2)
        probe.request(1)
        #expect(probe.elements == [1, 2, 3] && probe.requested == 3)
        probe.request(.unbounded)
        probe.request(7)
        #expect(probe.requested == .max && probe.isDone)
    }

    @Test func refusingCostsNoDemand() {
        let probe = Probe<Int, TestFailure>(next: { _, element in element > 3 })
        probe.attach(to: TestSource<Int, TestFailure>([1, 2, 3, 4, 5]))
        probe.request(1)
        #expect(probe.elements == [1, 2, 3, 4] && probe.used == 1)
    }

    @Test func seesTheObserverFreed() {
        let source = TestSource<Int, TestFailure>()
        let probe = Probe<Int, TestFailure>()
        probe.attach(to: source)
        probe.request(1)
        #expect(!probe.isReleased)
        probe.cancel()
        #expect(probe.isReleased)
    }

    @Test func oneThatIsReleasedCancelsAndIsFreed() {
        let source = TestSource<Int, TestFailure>()
        var probe: Probe<Int, TestFailure>? = Probe(next: { probe, _ in
            probe.request(1)
            return source.links.count == 1
        })
        weak let released = probe
        probe?.attach(to: source)
        probe?.request(1)
        source.send(1)
        #expect(probe?.elements.first == 1 && released != nil)
        probe = nil
        #expect(released == nil && source.links.map(\.cancels) == [1])
    }

    /// What may not happen is counted: each line is a stream that breaks one rule.
    @Test func countsFaults() {
        func faults(
            _ cancels: Bool = false, requests: Demand? = .unbounded,
            _ attach: @escaping @Sendable (Observer<Int, TestFailure>) -> Void
        ) -> ProbeFaults {
            let probe = Probe<Int, TestFailure>(next: { probe, _ in
                if cancels { probe.cancel() }
                return true
            })
            let kept = Guarded<Observer<Int, TestFailure>?>(nil)
            probe.attach(
                to: Observable { down in
                    kept.withLock { $0 = down }
                    return Subscription(
                        request: { _ in kept.withLock { $0 }.map(attach) },
                        cancel: {})
                })
            if let requests { probe.request(requests) } else { kept.withLock { $0 }.map(attach) }
            kept.withLock { $0 = nil }
            return probe.faults
        }
        #expect(faults { _ = $0.next(1) } == ProbeFaults())
        #expect(faults(requests: 1) { for element in 1...3 { _ = $0.next(element) } } == ProbeFaults(excess: 2))
        #expect(faults(requests: nil) { $0.done(.finished) } == ProbeFaults(beforeRequest: 1))
        #expect(
            faults {
                $0.done(.finished)
                _ = $0.next(1)
                $0.done(.finished)
            } == ProbeFaults(afterEnd: 2))
        #expect(faults(true) { for element in 1...3 { _ = $0.next(element) } } == ProbeFaults(afterCancel: 2))
    }

    @Test func countsNestedSignals() {
        let kept = Guarded<Observer<Int, TestFailure>?>(nil)
        let probe = Probe<Int, TestFailure>(next: { _, element in
            if element < 3 { _ = kept.withLock { $0 }?.next(element + 1) }
            return true
        })
        probe.attach(
            to: Observable { down in
                kept.withLock { $0 = down }
                return Subscription(request: { _ in _ = kept.withLock { $0 }?.next(1) }, cancel: {})
            })
        probe.request(.unbounded)
        kept.withLock { $0 = nil }
        #expect(probe.faults.nested == 2 && probe.elements == [1, 2, 3])
    }
}
