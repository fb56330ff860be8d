import Foundation
import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

@Suite struct RouterRaceTests {
    /// Contract 7.
    @Test func contract7RoutesAreFoundWhileOthersComeAndGo() async {
        let router = Router()
        router.map("app://stable/:id(int)") { _ in }
        let counts = Guarded((changes: 0, overlaps: 0, running: 2))
        let failures = Log()
        let opened = Guarded<[OpenedRoute]>([])
        await onThreads(6) { thread in
            if thread < 2 {
                for index in 0..<5_000 {
                    let url = "app://churn\(thread)/\(index)"
                    let registration = router.map(url) { _ in }
                    if !router.canOpen(url) { failures.add("lost \(url)") }
                    counts.withLock { $0.changes += 1 }
                    registration.dispose()
                    if router.canOpen(url) { failures.add("still there: \(url)") }
                }
                return counts.withLock { $0.running -= 1 }
            }
            var rounds = 0
            while counts.withLock({ $0.running > 0 }) {
                let before = counts.withLock { $0.changes }
                if !router.canOpen("app://stable/\(rounds)") { failures.add("stable \(rounds)") }
                if router.canOpen("app://stable/x") { failures.add("stable x") }
                counts.withLock { if $0.changes != before { $0.overlaps += 1 } }
                if rounds < 250 {
                    let route: OpenedRoute = router.open("app://stable/\(rounds)")
                    opened.withLock { $0.append(route) }
                }
                rounds += 1
            }
        }
        let all = opened.withLock { $0 }
        for route in all { #expect(await route.outcome.isHandled) }
        let overlaps = counts.withLock { $0.overlaps }
        print("routes: \(overlaps) look-ups overlapped a change, \(all.count) requests")
        #expect(overlaps > 0)
        #expect(failures.lines == [])
        #expect(router.registrationCount == 1)
    }
}
