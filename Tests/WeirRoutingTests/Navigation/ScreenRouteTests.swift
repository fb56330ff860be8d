import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

/// Screens behind URLs, and the stories of an application.
@Suite @MainActor struct ScreenRouteTests {
    private let screens: NavigationStack<Page>
    private let router = Router(on: VirtualClock())
    private let log = Log()

    init() {
        screens = NavigationStack { name, bundle in name == "About" ? Page(bundle.map { "About \($0)" } ?? name) : nil }
        screens.setRoot(Page("Home"))
    }

    @Test func theOutcomeComesAfterTheTransition() async {
        let completed = Guarded<(@Sendable () -> Void)?>(nil)
        let started = Bell()
        router.map(
            "app://new", screen: .provided { _ in Page("New") },
            style: .custom { presenting, presented, done in
                self.log.add("\(presented) on \(presenting)")
                completed.withLock { $0 = done }
                started.ring()
            }, presenter: screens)
        let opened = openAll(router, ["app://new"])[0]
        await started.wait()
        #expect("\(opened)" == #"OpenedRoute(1, "app://new", running)"#)
        #expect("\(screens)" == "Home")
        completed.withLock { $0 }?()
        #expect(await opened.outcome.isHandled)
        #expect("\(screens)" == "Home\n  New")
        #expect(log.lines == ["New on Home"])
    }

    @Test func aTransitionThatNeverEndsIsCut() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        router.map(
            "app://new", screen: .provided { _ in Page("New") }, style: .custom { _, _, _ in }, presenter: screens)
        let opened = openAll(router, ["app://new"])[0]
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(30))
        #expect("\(await opened.outcome)" == #".timedOut("app://new")"#)
        #expect("\(screens)" == "Home")
    }

    @Test func theScreenIsSetUpByItselfThenByTheClosure() async {
        final class Photo: Page, PresentationSetup {
            let log: Log
            init(_ log: Log) {
                self.log = log
                super.init("Photo")
            }
            func setUp(for request: RouteRequest) throws {
                MainActor.assertIsolated()
                log.add("itself \(try request.parameters.require("id", as: Int.self))")
            }
        }
        let log = log
        router.map("app://photo/:id", screen: .provided { _ in Photo(log) }, presenter: screens) { screen, request in
            if request.passed is Owner { throw CancellationError() }
            log.add("closure \(screen) \(request.parameters["id"] ?? "")")
        }
        #expect(await router.open("app://photo/7").isHandled)
        #expect(log.lines == ["itself 7", "closure Photo 7"])
        #expect("\(screens)" == "Home > Photo")
        #expect("\(await router.open("app://photo/x"))".contains("which is no Int"))
        #expect("\(await router.open("app://photo/8", passing: Owner()))" == ".failed(CancellationError())")
        #expect("\(screens)" == "Home > Photo")
    }

    @Test func aScreenCanBeNamed() async {
        router.map("app://about", screen: .named("About"), presenter: screens)
        router.map("app://other", screen: .named("About", bundle: "kit"), style: .showDetail, presenter: screens)
        router.map("app://none", screen: .named("None"), presenter: screens)
        #expect(await router.open("app://about").isHandled)
        #expect(await router.open("app://other").isHandled)
        #expect("\(screens)" == "Home > About\n  About kit")
        #expect("\(await router.open("app://none"))".contains(#"named "None" in the application"#))
    }

    @Test func whatCannotBePresentedIsAFailure() async {
        let empty = NavigationStack<Page>()
        router.map("app://modal", screen: .provided { _ in Page("Modal") }, presenter: empty)
        router.map("app://push", screen: .provided { _ in Page("P") }, style: .push(animated: true), presenter: empty)
        #expect("\(await router.open("app://modal"))".hasPrefix(".failed(nothing to present on"))
        #expect("\(await router.open("app://push"))".hasPrefix(".failed(nothing to present on"))
        empty.setRoot(Page("Root"), isStack: false)
        #expect("\(await router.open("app://push"))".hasPrefix(".failed(nothing to push onto"))
    }

    @Test func screensCarryTheTagViews() async {
        router.map("app://a", screen: .provided { _ in Page("A") }, presenter: screens)
        router.map("app://b", tags: ["Other"], screen: .provided { _ in Page("B") }, presenter: screens)
        #expect(router["Views"].routes.map(\.pattern.text) == ["app://a"])
        #expect(router["Other"].routes.map(\.pattern.text) == ["app://b"])
        #expect(router[].routes.isEmpty)
    }

    /// A switch in the settings: what would be pushed is presented.
    @Test func aProxyTurnsPushesIntoModals() async {
        let isModal = Guarded(false)
        router.map(
            "/push/:page", screen: .provided { Page($0.parameters["page"] ?? "") }, style: .push(animated: true),
            presenter: screens)
        router.map(
            "/present/:page", screen: .provided { Page($0.parameters["page"] ?? "") },
            style: .present(animated: true), presenter: screens)
        router.proxy("/push/:page") { request in
            isModal.withLock { $0 } ? .rewrite(to: "/present/\(request.parameters["page"] ?? "")") : .proceed
        }
        #expect(await router.open("/push/Album").isHandled)
        isModal.withLock { $0 = true }
        #expect("\(await router.open("/push/Photo"))" == #".handled("/present/:page", redirects: ["/present/Photo"])"#)
        #expect("\(screens)" == "Home > Album\n  Photo")
    }

    /// The private page comes after the log-in's screen has gone.
    @Test func contract5TheLogInStoryOnScreens() async {
        let isLoggedIn = Guarded(false)
        let screens = screens
        let trees = Log()
        let bag = SubscriptionBag()
        screens.tree.subscribe { trees.add("\($0)") }.store(in: bag)
        router.map(
            "app://private/:page", screen: .provided { Page($0.parameters["page"] ?? "") },
            style: .push(animated: true), presenter: screens)
        router.map("app://login") { @MainActor request in
            try await screens.present(Page("Login"), .present(animated: true))
            isLoggedIn.withLock { $0 = true }
            try await screens.dismiss(animated: true)
            await request.open(try request.parameters.require("callback"), passing: request.passed)
        }
        router.proxy("app://private/**") { request in
            isLoggedIn.withLock { $0 } ? .proceed : .rewrite(to: "app://login", ["callback": request.url])
        }
        #expect(await router.open("app://private/Diary").isHandled)
        #expect(await router.open("app://private/Letters").isHandled)
        #expect(trees.lines == ["Home", "Home\n  Login", "Home", "Home > Diary", "Home > Diary > Letters"])
    }

    /// A route that is there as long as its screen.
    @Test func aSecretRouteLivesWithItsScreen() async throws {
        let (router, screens) = (router, screens)
        router.map("app://door", screen: .provided { _ in Page("Door") }, presenter: screens) { screen, _ in
            router.map("app://secret", owner: screen, screen: .provided { _ in Page("Secret") }, presenter: screens)
        }
        #expect("\(await router.open("app://secret"))" == ".notFound")
        #expect(await router.open("app://door").isHandled)
        #expect(await router.open("app://secret").isHandled)
        #expect("\(screens)" == "Home > Door > Secret")
        try await screens.popToRoot(animated: true)
        #expect("\(await router.open("app://secret"))" == ".notFound")
    }
}
