import Foundation
import Testing
import WeirRouting
import WeirTesting

@Suite struct RouterTests {
    @Test func anOverrideComesAndGoes() async {
        let router = Router()
        let log = Log()
        let first = router.map("/user/:id") { _ in log.add("first") }
        let second = router.map("/user/:name") { _ in log.add("second") }
        let third = router.map("/USER/:key") { _ in log.add("third") }
        #expect(await router.open("/user/7").isHandled)
        second.dispose()
        #expect(await router.open("/user/7").isHandled)
        third.dispose()
        third.dispose()
        #expect(await router.open("/user/7").isHandled)
        first.dispose()
        #expect(!router.canOpen("/user/7"))
        #expect(log.lines == ["third", "third", "first"])
        #expect(router.registrationCount == 0)
        #expect(first.isDisposed)
    }

    @Test func aPatternThatIsNoneMatchesNothingAndSaysWhy() async {
        let router = Router()
        let registration = router.map("/:id(float)") { _ in }
        #expect(registration.error?.offset == 5)
        #expect(registration.isDisposed)
        #expect("\(await router.open("/7"))" == ".notFound")
        registration.dispose()
        #expect(router.registrationCount == 0)
        #expect(router.map("/:id") { _ in }.error == nil)
    }

    /// One that opens its own URL would go on until memory ends.
    @Test func aProxyThatOpensItsOwnURLIsALoop() async {
        let router = Router()
        let inner = Log()
        router.proxy("app://x/**") { request in
            let outcome = await request.open("app://x/1")
            if case .loop(let urls) = outcome { inner.add("loop \(urls)") }
            return .stop(outcome)
        }
        #expect("\(await router.open("app://x/1"))".hasPrefix(".loop"))
        #expect(inner.lines.first == "loop [\"app://x/1\"]")
    }

    @Test func failuresAreOutcomes() async {
        let router = Router()
        router.map("/id") { request in _ = try request.parameters.require("id", as: Int.self) }
        router.map("/:id") { request in _ = try request.parameters.require("id", as: Int.self) }
        router.proxy("/stop") { _ in .stop(.notFound) }
        router.proxy("/throw") { _ in throw CancellationError() }
        #expect("\(await router.open("/x"))" == #".failed(the route parameter "id" is "x", which is no Int)"#)
        #expect("\(await router.open("/id"))".contains("no route parameter is named \"id\""))
        #expect("\(await router.open("/stop"))" == ".notFound")
        #expect("\(await router.open("/throw"))" == ".failed(CancellationError())")
        #expect(await router.open("/7").isHandled)
        guard case .invalidURL = await router.open("/a//b") else { return #expect(Bool(false)) }
    }

    @Test func theHotOpenSaysAtOnceWhetherARouteTakesTheURL() async {
        let router = Router()
        router.map("/known") { _ in }
        let opened = openAll(router, ["/known", "/unknown", "/%"])
        #expect(opened.map(\.matched) == [true, false, false])
        #expect(opened.map(\.number) == [1, 2, 3])
        for _ in 1...3 {
            var outcomes: [String] = []
            for await outcome in opened[0].values { outcomes.append("\(outcome)") }
            #expect(outcomes == [#".handled("/known")"#])
        }
        #expect("\(opened[0])" == #"OpenedRoute(1, "/known", .handled("/known"))"#)
    }

    @Test func anOutcomeOutlivesItsHandle() async {
        let router = Router()
        router.map("/x") { _ in }
        let outcome = openAll(router, ["/x"])[0].observable
        #expect(await outcome.first?.isHandled == true)
        #expect(await outcome.first?.isHandled == true)
    }

    @Test func requestsAndOutcomesAreStreams() async {
        let router = Router()
        let log = Log()
        let bag = SubscriptionBag()
        router.requests.subscribe { log.add("open \($0.url)") }.store(in: bag)
        router.outcomes.subscribe { log.add("\($0.number) \($0)") }.store(in: bag)
        router.map("/x") { _ in }
        _ = await router.open("/x")
        _ = await router["some tag"].open("/x")
        #expect(log.lines == ["open /x", #"1 /x .handled("/x")"#, "open /x", "2 /x .notFound"])
    }

    @Test func viewsSeeWhatCarriesTheirTags() async {
        let router = Router()
        router.map("/plain") { _ in }
        router.map("/view", tags: ["Views"]) { _ in }
        router["Views", "Logs"].map("/both") { _ in }
        router["Logs"].proxy("/**") { _ in .proceed }
        let views = router["Views"]
        #expect(views.routes.map(\.description) == ["/both [Logs, Views]", "/view [Views]"])
        #expect(router["Logs"].routes.map(\.pattern.text) == ["/both"])
        #expect(router["Logs"].proxies.map(\.description) == ["/** [Logs]"])
        #expect(router["Views"]["Logs"].routes.map(\.pattern.text) == ["/both"])
        #expect(router[].routes.isEmpty)
        #expect(router.routes.count == 3)
        router.map("/late", tags: ["Views"]) { _ in }
        #expect(views.canOpen("/late"))
        #expect(!views.canOpen("/plain"))
        #expect("\(await views.open("/plain"))" == ".notFound")
        #expect(await views.open("/both").isHandled)
    }

    /// A view filters proxies as it filters routes, and what a proxy rewrites to stays within the view.
    @Test func aRequestThroughAViewMeetsItsProxiesAndRoutesOnly() async {
        let router = Router()
        let asked = Log()
        router.map("/in", tags: ["A"]) { _ in asked.add("in") }
        router.map("/out", tags: ["B"]) { _ in asked.add("out") }
        router.proxy("/**") { _ in
            asked.add("untagged")
            return .proceed
        }
        router["B"].proxy("/**") { _ in
            asked.add("B")
            return .proceed
        }
        router["A"].proxy("/away") { _ in
            asked.add("A")
            return .rewrite(to: "/out")
        }
        #expect(await router["A"].open("/in").isHandled)
        #expect("\(await router["A"].open("/away"))" == ".redirectedToNothing")
        #expect(asked.lines == ["in", "A"])
        #expect(await router.open("/away").isHandled)
        #expect(asked.lines == ["in", "A", "A", "out"])
        #expect(await router["B"].open("/out").isHandled)
        #expect(asked.lines == ["in", "A", "A", "out", "B", "out"])
        #expect("\(await router[].open("/in"))" == ".notFound")
        #expect(asked.lines.count == 6)
    }

    @Test func routesAreListedAsTheyAreTried() {
        let router = Router()
        for pattern in ["/**", "/a/*", "/a/:x", "/a/:x(int)", "/a/b", "app://a/b"] { router.map(pattern) { _ in } }
        #expect(
            router.routes.map(\.pattern.text) == ["app://a/b", "/a/b", "/a/:x(int)", "/a/:x", "/a/*", "/**"])
        #expect(router.explain("/a/x").matches.map(\.text) == ["/a/:x", "/a/*", "/**"])
        #expect(router.explain("/a/x").description.contains(#"nearly: /a/:x(int): :x(int) did not take "x""#))
    }

    @Test func theDeadAreSweptAsOthersCome() {
        let router = Router()
        for _ in 0..<10_000 {
            let owner = Owner()
            router.map("/owned/:x", owner: owner) { _ in }
        }
        #expect(!router.canOpen("/owned/1"))
        #expect(router.registrationCount == 0)
    }

    @Test func whatIsDisposedIsReleased() async {
        let router = Router()
        weak var captured: Owner?
        var registrations: [RouteRegistration] = []
        do {
            let owner = Owner()
            captured = owner
            registrations.append(router.map("/x") { _ in withExtendedLifetime(owner) {} })
            registrations.append(
                router.proxy("/x") { _ in
                    withExtendedLifetime(owner) {}
                    return .proceed
                })
        }
        #expect(await router.open("/x").isHandled)
        #expect(captured != nil)
        for registration in registrations { registration.dispose() }
        #expect(captured == nil)
    }

    @Test func handlersMayRegisterAndDispose() async {
        let router = Router()
        let own = Guarded<RouteRegistration?>(nil)
        let registration = router.map("/once") { [unowned router] _ in
            own.withLock { $0 }?.dispose()
            router.map("/new") { _ in }
        }
        own.withLock { $0 = registration }
        #expect(await router.open("/once").isHandled)
        #expect("\(await router.open("/once"))" == ".notFound")
        #expect(await router.open("/new").isHandled)
    }

    @Test func aDeinitMayDispose() {
        final class Disposer: Sendable {
            let registration: RouteRegistration
            init(_ registration: RouteRegistration) { self.registration = registration }
            deinit { registration.dispose() }
        }
        let router = Router()
        let inner = router.map("/inner") { _ in }
        let disposer = Disposer(inner)
        let outer = router.map("/outer") { _ in withExtendedLifetime(disposer) {} }
        _ = consume disposer
        outer.dispose()
        #expect(router.registrationCount == 0)
    }

    @Test @MainActor func aHandlerCarriesItsIsolation() async {
        let router = Router()
        router.map("/main") { @MainActor _ in MainActor.assertIsolated() }
        #expect(await router.open("/main").isHandled)
    }

    @Test func taskLocalsReachTheHandler() async {
        let router = Router()
        let log = Log()
        router.map("/x") { _ in log.add(Trail.name) }
        let opened = Trail.$name.withValue("opener") { openAll(router, ["/x"])[0] }
        #expect(await opened.outcome.isHandled)
        #expect(log.lines == ["opener"])
    }

    @Test func foundationsURLIsTaken() async throws {
        let router = Router()
        let log = Log()
        router.map("app://key/:key(uuid)") { request in
            log.add("\(try request.parameters.require("key", as: UUID.self)) \(request.foundationURL?.host() ?? "-")")
        }
        let url = try #require(URL(string: "app://key/6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
        #expect(router.canOpen(url))
        #expect(await router.open(url).isHandled)
        #expect(log.lines == ["6F9619FF-8B86-D011-B42D-00CF4FC964FF key"])
    }

    @Test func tenThousandRoutesOneByOne() async {
        let router = Router()
        for index in 0..<10_000 { router.map("app://x/\(index)/:id") { _ in } }
        #expect(router.canOpen("app://x/9999/1"))
        #expect(await router.open("app://x/0/1").isHandled)
    }
}

enum Trail {
    @TaskLocal static var name = "nobody"
}
