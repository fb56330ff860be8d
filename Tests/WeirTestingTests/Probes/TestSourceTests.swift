import Testing
import WeirTesting

@Suite struct TestSourceTests {
    typealias Source = TestSource<Int, TestFailure>
    let probe = Probe<Int, TestFailure>()

    @Test func logsWhatIsAskedOfIt() {
        let source = Source()
        probe.attach(to: source.observable.prefix(2))
        probe.request(5)
        source.send(1)
        source.send(2)
        source.send(3)
        #expect(source.log == ["attach", "request 5", "next 1", "next 2", "cancel", "teardown"])
        #expect(probe.elements == [1, 2] && probe.completion == .finished)
        #expect("\(source)" == "TestSource(1 links, 0 open)")
    }

    @Test func waitsForDemandAndKeepsTheOrder() {
        let source = Source([1, 2], end: nil)
        probe.attach(to: source)
        source.send(3)
        probe.request(2)
        #expect(probe.elements == [1, 2])
        source.finish()
        #expect(!probe.isDone)
        probe.request(1)
        #expect(probe.elements == [1, 2, 3] && probe.isDone)
        #expect(source.log.suffix(3) == ["next 3", "finished", "teardown"])
    }

    @Test func withoutDemandChecksItBreaksTheRule() {
        let source = Source(withoutDemand: .send)
        probe.attach(to: source)
        probe.request(1)
        for element in 1...3 { source.send(element) }
        #expect(probe.elements == [1, 2, 3] && probe.faults.excess == 2)
    }

    @Test func refusesWithoutDemand() throws {
        let source = Source(withoutDemand: .refuse)
        probe.attach(to: source)
        probe.request(1)
        for element in 1...3 { source.send(element) }
        let link = try #require(source.links.first)
        #expect(probe.elements == [1] && link.refused == 2 && link.demand == 0)
    }

    @Test func theEndIsForThoseToComeToo() {
        let source = Source()
        source.fail(TestFailure())
        probe.attach(to: source)
        #expect(!probe.isDone)
        probe.request(1)
        #expect(probe.completion == .failed(TestFailure()))
    }

    @Test func aStubbornSourceSendsOnAfterACancel() {
        let source = Source(isStubborn: true)
        probe.attach(to: source)
        probe.request(.unbounded)
        probe.cancel()
        source.send(1)
        #expect(probe.elements == [1] && probe.faults.afterCancel == 1)
    }

    @Test func handlersMaySend() {
        let source = Source()
        let probe = Probe<Int, TestFailure>(next: { _, element in
            if element < 5 { source.send(element + 1) }
            return true
        })
        probe.attach(to: source)
        probe.request(.unbounded)
        source.send(1)
        #expect(probe.elements == [1, 2, 3, 4, 5] && probe.faults == ProbeFaults())
    }

    @Test func seesCallsDuringItsEnd() throws {
        let source = Source()
        let probe = Probe<Int, TestFailure>(done: { probe, _ in probe.cancel() })
        probe.attach(to: source)
        probe.request(1)
        source.finish()
        let link = try #require(source.links.first)
        #expect(link.callsDuringEnd == 1 && link.cancels == 1)
        #expect(source.log.filter { $0 == "teardown" }.count == 1)
    }

    @Test func letsItsObserverGoWithoutAnEnd() {
        let source = Source([1], dropsObserver: true)
        probe.attach(to: source)
        #expect(!probe.isReleased)
        probe.request(1)
        #expect(probe.elements == [1] && !probe.isDone && probe.isReleased)
    }

    @Test func seesRequestsAfterItsEnd() {
        let source = Source([], end: .finished)
        probe.attach(to: source)
        probe.request(1)
        #expect(source.links.map(\.requestsAfterEnd) == [0])
        probe.request(1)
        #expect(source.links.map(\.requestsAfterEnd) == [1])
    }

    @Test func leaksAreCounted() {
        let leaks = Leaks()
        let source = Source()
        var token: SubscriptionToken? = { () -> SubscriptionToken in
            let canary = leaks.canary()
            return source.observable.subscribe({ _ in _ = canary }, done: { _ in })
        }()
        #expect(leaks.alive == 1 && "\(leaks)" == "Leaks(1 of 1 alive)")
        token?.cancel()
        #expect(leaks.alive == 0 && leaks.made == 1)
        token = nil
    }
}
