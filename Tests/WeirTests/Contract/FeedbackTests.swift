import Testing
import WeirTesting

/// Handlers that send into the upstreams of the operator they listen to, at the moments that are hardest for its order.
@Suite struct FeedbackTests {
    typealias Subject = PublishSubject<Int, Never>

    /// While older elements of an upstream wait to be delivered, that upstream is asked for more and answers at once.
    @Test func whatAnUpstreamSendsWhenAskedGoesBehindWhatWaits() {
        let first = Subject()
        let second = Subject()
        let merged = Observable.merge([first.observable, second.observable])
        let probe = Probe<Int, Never>(next: { _, element in
            // 24 of 32 that `first` was asked for are used up by the first of these.
            if element == 1_000 { for number in 24...60 { first.send(number) } }
            return true
        })
        probe.attach(to: merged)
        probe.request(10_000)
        for number in 1...23 { first.send(number) }
        second.send(1_000)
        #expect(probe.elements == Array(1...23) + [1_000] + Array(24...60))
        #expect(probe.faults == ProbeFaults())
        probe.cancel()
    }

    /// More elements than an upstream may be ahead wait for a handler that then cancels.
    @Test func elementsThatWaitAtACancelAreDropped() {
        let first = Subject()
        let second = Subject()
        let probe = Probe<Int, Never>(next: { probe, _ in
            for number in 0..<200 { first.send(number) }
            probe.cancel()
            return true
        })
        probe.attach(to: first.combineLatest(with: second.observable).map { $0.0 + $0.1 })
        probe.request(.unbounded)
        first.send(1)
        second.send(1)
        #expect(probe.elements == [2] && probe.faults == ProbeFaults())
        #expect(probe.isReleased)
    }
}
