import Testing
import WeirRouting
import WeirTesting

/// One request at a time, in order, each within its time limit. A handler that captured its router would keep it.
@Suite struct RouterQueueTests {
    @Test func requestsAreServedInTheOrderOfOpen() async {
        let router = Router()
        let log = Log()
        let inside = Guarded((now: 0, most: 0))
        router.map("/:n(int)") { request in
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            await Task.yield()
            log.add(try request.parameters.require("n"))
            inside.withLock { $0.now -= 1 }
        }
        let opened = openAll(router, (0..<500).map { "/\($0)" })
        for route in opened { #expect(await route.outcome.isHandled) }
        #expect(log.lines == (0..<500).map(String.init))
        #expect(inside.withLock { $0.most } == 1)
    }

    @Test func aHandlerThatNeverReturnsIsCut() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        let gate = PublishSubject<Void, Never>()
        let log = Log()
        router.map("/slow", timeLimit: .seconds(5)) { _ in
            // A task of its own is not cancelled with the handler.
            await Task { _ = await gate.observable.first }.value
            log.add(Task.isCancelled ? "late and cancelled" : "late")
        }
        router.map("/next") { _ in log.add("next") }
        let bag = SubscriptionBag()
        router.outcomes.subscribe { log.add("\($0)") }.store(in: bag)
        let opened = openAll(router, ["/slow", "/next"])
        await clock.untilScheduled(1)
        clock.advance(by: .milliseconds(4999))
        #expect(log.lines == [])
        clock.advance(by: .milliseconds(1))
        #expect("\(await opened[0].outcome)" == #".timedOut("/slow")"#)
        #expect(await opened[1].outcome.isHandled)
        #expect(log.lines == [#"/slow .timedOut("/slow")"#, "next", #"/next .handled("/next")"#])
        gate.send()
        while log.lines.count < 4 { await Task.yield() }
        #expect(log.lines.last == "late and cancelled")
        #expect("\(await opened[0].outcome)" == #".timedOut("/slow")"#)
    }

    @Test func aProxyThatNeverReturnsIsCutAtTheRoutersLimit() async {
        let clock = VirtualClock()
        let router = Router(timeLimit: .seconds(2), on: clock)
        router.map("/x") { _ in }
        router.proxy("/**") { _ in
            _ = await Observable<Void, Never>.never().first
            return .proceed
        }
        let opened = openAll(router, ["/x"])[0]
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(2))
        #expect("\(await opened.outcome)" == #".timedOut("/**")"#)
        #expect(clock.scheduledCount == 0)
    }

    @Test func aHandlerMayAwaitAnotherRoute() async {
        let router = Router(on: VirtualClock())
        let log = Log()
        router.map("/outer/:n") { [unowned router] request in
            log.add("outer \(request.parameters["n"] ?? "") begins")
            await log.add("\(router.open("/inner"))")
            await log.add("\(Task.detached { await request.open("/inner") }.value)")
            log.add("outer ends")
        }
        router.map("/inner") { [unowned router] _ in
            await log.add("inner, then \(router.open("/innermost"))")
        }
        router.map("/innermost") { _ in }
        for route in openAll(router, ["/outer/1", "/outer/2"]) { #expect(await route.outcome.isHandled) }
        let once = [
            #"inner, then .handled("/innermost")"#, #".handled("/inner")"#, #"inner, then .handled("/innermost")"#,
            #".handled("/inner")"#, "outer ends",
        ]
        #expect(log.lines == ["outer 1 begins"] + once + ["outer 2 begins"] + once)
    }

    @Test func whatAHandlerOpensAndDoesNotAwaitComesBeforeTheNext() async {
        let router = Router(on: VirtualClock())
        let log = Log()
        router.map("/outer") { [unowned router] _ in
            for route in openAll(router, ["/a", "/b"]) { _ = route }
            log.add("outer")
        }
        router.map("/:name") { log.add($0.parameters["name"] ?? "") }
        for route in openAll(router, ["/outer", "/next"]) { #expect(await route.outcome.isHandled) }
        // The first child may run beside its parent; all of them run before the next request.
        #expect(log.lines.last == "next")
        #expect(Set(log.lines.dropLast()) == ["outer", "a", "b"])
        #expect(log.lines.firstIndex(of: "a") ?? 9 < log.lines.firstIndex(of: "b") ?? 0)
    }

    @Test func twoRoutersThatCallEachOtherDoNotWaitForEver() async {
        let first = Router(on: VirtualClock())
        let second = Router(on: VirtualClock())
        first.map("/there") { [unowned second] _ in _ = await second.open("/back") }
        second.map("/back") { [unowned first] _ in
            let outcome: RouteOutcome = await first.open("/end")
            if !outcome.isHandled { throw CancellationError() }
        }
        first.map("/end") { _ in }
        #expect(await first.open("/there").isHandled)
    }

    @Test func aDetachedTaskQueuesLikeAnyOther() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        router.map("/outer") { [unowned router] _ in _ = await Task.detached { await router.open("/inner") }.value }
        router.map("/inner") { _ in }
        let opened = openAll(router, ["/outer"])[0]
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(30))
        #expect("\(await opened.outcome)" == #".timedOut("/outer")"#)
    }

    @Test func anOpenAfterTheRequestQueuesLikeAnyOther() async {
        let router = Router(on: VirtualClock())
        let kept = Guarded<RouteRequest?>(nil)
        router.map("/keep") { request in kept.withLock { $0 = request } }
        router.map("/later") { _ in }
        #expect(await router.open("/keep").isHandled)
        #expect(await kept.withLock { $0.take() }?.open("/later").isHandled == true)
    }

    @Test func cancelEndsWhatRunsAndWhatWaits() async {
        let router = Router(on: VirtualClock())
        let log = Log()
        let started = PublishSubject<Void, Never>()
        let running = BehaviorSubject<Bool, Never>(false)
        router.map("/runs") { _ in
            running.send(true)
            _ = await started.observable.first
            log.add(Task.isCancelled ? "cancelled" : "ran")
        }
        router.map("/waits") { _ in log.add("waits") }
        router.map("/last") { _ in log.add("last") }
        let opened = openAll(router, ["/runs", "/waits", "/last"])
        _ = await running.observable.filter { $0 }.first
        opened[1].cancel()
        #expect("\(await opened[1].outcome)" == ".failed(CancellationError())")
        opened[0].cancel()
        #expect("\(await opened[0].outcome)" == ".failed(CancellationError())")
        #expect(await opened[2].outcome.isHandled)
        while log.lines.count < 2 { await Task.yield() }
        #expect(Set(log.lines) == ["cancelled", "last"])
        opened[2].cancel()
        #expect(await opened[2].outcome.isHandled)
    }

    @Test func cancellingTheTaskCancelsTheHandler() async {
        let router = Router(on: VirtualClock())
        let running = BehaviorSubject<Bool, Never>(false)
        router.map("/runs") { _ in
            running.send(true)
            _ = await Observable<Void, Never>.never().first
            try Task.checkCancellation()
        }
        let outcomes = BehaviorSubject<ServedRoute?, Never>(nil)
        let bag = SubscriptionBag()
        router.outcomes.subscribe { outcomes.send($0) }.store(in: bag)
        let task = Task { await router.open("/runs") }
        _ = await running.observable.filter { $0 }.first
        task.cancel()
        #expect("\(await task.value)" == ".failed(CancellationError())")
        let served = await outcomes.observable.compactMap { $0 }.first
        #expect(served.map { "\($0)" } == "/runs .failed(CancellationError())")
    }
}

/// Opens from code that is not async, as an application delegate does.
func openAll(_ router: Router, _ urls: [String]) -> [OpenedRoute] { urls.map { router.open($0) } }
