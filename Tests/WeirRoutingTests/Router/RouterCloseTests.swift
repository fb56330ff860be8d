import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

/// `close(within:)`: refuse, drain, then cut.
@Suite struct RouterCloseTests {
    let clock = VirtualClock()

    /// A router whose handler of `/wait` returns at a signal.
    func router() -> (router: Router, signal: PublishSubject<Void, Never>, log: Log, bag: SubscriptionBag) {
        let router = Router(timeLimit: .seconds(1_000), on: clock)
        let signal = PublishSubject<Void, Never>()
        let (log, bag) = (Log(), SubscriptionBag())
        router.map("/wait/:n") { request in
            log.add("begins \(request.parameters["n"] ?? "")")
            if await signal.observable.first == nil { throw CancellationError() }
            await log.add("inside: \(request.open("/part"))")
        }
        router.map("/part") { _ in }
        router.outcomes.subscribe({ log.add("\($0)") }, done: { log.add("outcomes \($0)") }).store(in: bag)
        return (router, signal, log, bag)
    }

    /// Lets a handler begin, and a closing be under way.
    func closing(_ router: Router, within time: Duration, _ log: Log) async -> Task<Void, Never> {
        await until { !log.lines.isEmpty }
        let closing = Task {
            await router.close(within: time)
            log.add("closed")
        }
        await until { router.canOpen("/part") == false }
        return closing
    }

    @Test func whatWasOpenedIsServedAndWhatComesLaterIsRefused() async {
        let (router, signal, log, bag) = router()
        let opened = openAll(router, ["/wait/1", "/wait/2"])
        let closing = await closing(router, within: .seconds(60), log)
        let late = openAll(router, ["/part"])[0]
        #expect(await late.outcome == .failed(RouterError.closed) && !late.matched)
        #expect(!router.canOpen("/part"))
        signal.send()
        await until { log.lines.contains("begins 2") }
        signal.send()
        for route in opened { #expect(await route.outcome.isHandled) }
        await closing.value
        #expect(
            log.lines == [
                "begins 1", "/part .failed(\(RouterError.closed))", #"/part .handled("/part")"#,
                #"inside: .handled("/part")"#, #"/wait/1 .handled("/wait/:n")"#, "begins 2",
                #"/part .handled("/part")"#, #"inside: .handled("/part")"#, #"/wait/2 .handled("/wait/:n")"#,
                "outcomes finished", "closed",
            ])
        #expect(await router["any"].open("/part") == .failed(RouterError.closed))
        #expect(clock.scheduledCount == 0)
        withExtendedLifetime(bag) {}
    }

    @Test func whatIsStillUnderWayAfterTheTimeIsCut() async {
        let (router, _, log, bag) = router()
        let opened = openAll(router, ["/wait/1", "/part"])
        let closing = await closing(router, within: .seconds(60), log)
        await clock.untilScheduled(2)
        clock.advance(by: .milliseconds(59_999))
        #expect(log.lines == ["begins 1"])
        clock.advance(by: .milliseconds(1))
        await closing.value
        for route in opened { #expect(await route.outcome == .failed(RouterError.cut)) }
        #expect(log.lines.suffix(2) == ["outcomes finished", "closed"] && log.lines.count == 5)
        #expect(clock.scheduledCount == 0)
        withExtendedLifetime(bag) {}
    }

    @Test(arguments: ["no time", "less than none", "a second close", "a cancelled task"])
    func itMayBeCutAtOnce(how: String) async {
        let (router, _, log, bag) = router()
        let opened = openAll(router, ["/wait/1"])
        switch how {
        case "no time": await router.close(within: .zero)
        case "less than none": await router.close(within: .seconds(-1))
        case "a second close":
            let first = await closing(router, within: .seconds(Int64.max), log)
            await router.close(within: .zero)
            await first.value
        default:
            let first = await closing(router, within: .seconds(60), log)
            first.cancel()
            await first.value
        }
        #expect(await opened[0].outcome == .failed(RouterError.cut))
        #expect(clock.scheduledCount == 0)
        withExtendedLifetime(bag) {}
    }

    @Test func aRouterThatDoesNothingIsClosedAtOnceAndAgain() async {
        let router = Router(on: clock)
        router.map("/a") { _ in }
        let requests = Log()
        let token = router.requests.subscribe({ _ in }, done: { requests.add("\($0)") })
        for _ in 0..<2 { await router.close(within: .seconds(60)) }
        #expect(requests.lines == ["finished"] && clock.scheduledCount == 0)
        #expect(await router.open("/a") == .failed(RouterError.closed))
        token.cancel()
    }

    /// A handler that closes its own router waits for itself: the time ends that.
    @Test func aHandlerMayCloseItsRouter() async {
        let router = Router(timeLimit: .seconds(1_000), on: clock)
        router.map("/quit") { [unowned router] _ in await router.close(within: .seconds(5)) }
        let opened = openAll(router, ["/quit"])[0]
        await clock.untilScheduled(2)
        clock.advance(by: .seconds(5))
        #expect(await opened.outcome == .failed(RouterError.cut))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func withNoTimeAtAllNoHandlerIsBegun(limit: Duration) async {
        let log = Log()
        let router = Router(timeLimit: limit, on: clock)
        router.map("/a") { _ in log.add("route") }
        router.map("/own", timeLimit: .seconds(5)) { _ in log.add("own") }
        for _ in 0..<100 { #expect(await "\(router.open("/a"))" == #".timedOut("/a")"#) }
        #expect(await router.open("/own").isHandled)
        router.proxy("/**", timeLimit: limit) { _ in
            log.add("proxy")
            return .proceed
        }
        #expect(await "\(router.open("/own"))" == #".timedOut("/**")"#)
        #expect(log.lines == ["own"])
    }

    @Test func outcomesAreComparedByWhatTheySay() throws {
        struct Plain: Error, CustomStringConvertible { let description: String }
        let (a, b) = (try RoutePattern("/a"), try RoutePattern("/b"))
        let all: [RouteOutcome] = [
            .handled(a, redirects: []), .handled(b, redirects: []), .handled(a, redirects: ["/x"]), .notFound,
            .redirectedToNothing, .loop(["/a"]), .loop([]), .timedOut(a), .timedOut(b),
            .failed(RouterError.closed), .failed(RouterError.cut), .failed(CancellationError()),
            .failed(Plain(description: "one")), .failed(Plain(description: "two")),
        ]
        for (place, one) in all.enumerated() {
            #expect(all.enumerated().filter { $1 == one }.map(\.offset) == [place], "\(one)")
        }
    }
}
