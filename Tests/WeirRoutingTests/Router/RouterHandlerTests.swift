import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

/// Handlers that answer with a stream or by a callback.
@Suite struct RouterHandlerTests {
    @Test func aStreamsEndIsTheOutcome() async {
        let router = Router(on: VirtualClock())
        router.map("/fine/:n(int)") { request in
            Observable<Int, Never>.just(Int(request.parameters["n"] ?? "") ?? 0)
        }
        router.map("/empty") { _ in Observable<Int, Never>.empty() }
        router.map("/many") { _ in Observable<Int, Never>(0..<1_000) }
        router.map("/fails") { _ in Observable<Int, Refused>.fail(Refused()) }
        for url in ["/fine/7", "/empty", "/many"] { #expect(await router.open(url).isHandled, "\(url)") }
        #expect("\(await router.open("/fails"))".hasPrefix(".failed(Refused"))
    }

    @Test func aStreamThatNeverEndsIsCutAndCancelled() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        let source = TestSource<Int, Never>([], .silence)
        router.map("/x") { _ in source.observable }
        let opened = openAll(router, ["/x"])[0]
        await clock.untilScheduled(1)
        await until { source.attaches == 1 }
        clock.advance(by: .seconds(30))
        #expect("\(await opened.outcome)" == #".timedOut("/x")"#)
        await until { source.cancels == 1 }
    }

    @Test func aCallbackEndsTheRequestOnce() async {
        let router = Router(on: VirtualClock())
        router.map("/now") { _, completed in
            completed()
            completed(throwing: Refused())
        }
        router.map("/fails") { _, completed in
            completed(throwing: Refused())
            completed()
        }
        router.map("/later") { _, completed in Task { completed() } }
        #expect(await router.open("/now").isHandled)
        #expect("\(await router.open("/fails"))".hasPrefix(".failed(Refused"))
        #expect(await router.open("/later").isHandled)
    }

    @Test func aCallbackThatNeverComesIsCutAndALateOneIgnored() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        let kept = Guarded<RouteCompletion?>(nil)
        router.map("/x", timeLimit: .seconds(3)) { _, completed in kept.withLock { $0 = completed } }
        router.map("/next") { _ in }
        let opened = openAll(router, ["/x", "/next"])
        await clock.untilScheduled(1)
        await until { kept.withLock { $0 != nil } }
        clock.advance(by: .seconds(3))
        #expect("\(await opened[0].outcome)" == #".timedOut("/x")"#)
        kept.withLock { $0 }?()
        #expect(await opened[1].outcome.isHandled)
        #expect("\(await opened[0].outcome)" == #".timedOut("/x")"#)
    }

    @Test func aCallbackThatIsDroppedIsCutToo() async {
        let clock = VirtualClock()
        let router = Router(on: clock)
        router.map("/x", timeLimit: .seconds(3)) { _, _ in }
        let opened = openAll(router, ["/x"])
        await clock.untilScheduled(1)
        clock.advance(by: .seconds(3))
        #expect("\(await opened[0].outcome)" == #".timedOut("/x")"#)
    }

    @Test @MainActor func theHandlerRunsOnItsScheduler() async {
        let router = Router(on: VirtualClock())
        let log = Log()
        router.map("/stream", on: .mainActor) { _ in
            MainActor.assertIsolated()
            log.add("stream")
            return Observable<Int, Never>.just(1)
        }
        router.map("/callback", on: .mainActor) { request, completed in
            MainActor.assertIsolated()
            log.add("callback \(request.url)")
            completed()
        }
        #expect(await router.open("/stream").isHandled)
        #expect(await router.open("/callback").isHandled)
        #expect(log.lines == ["stream", "callback /callback"])
    }

    /// What it opens by its request is a part of it, on whatever thread it is.
    @Test func aCallbackMayOpenAnotherRoute() async {
        let router = Router()
        let log = Log()
        router.map("/outer", on: .continuous) { request, completed in
            Task {
                log.add("\(await request.open("/inner"))")
                completed()
            }
        }
        router.map("/inner") { _ in }
        #expect(await router.open("/outer").isHandled)
        #expect(log.lines == [#".handled("/inner")"#])
    }
}

private struct Refused: Error {}
