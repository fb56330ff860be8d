import Foundation
import Testing
import WeirRouting
import WeirTesting

@Suite struct RouterRaceTests {
    /// Contract 7.
    @Test func contract7RoutesAreFoundWhileOthersComeAndGo() async {
        let router = Router()
        router.map("app://stable/:id(int)") { _ in }
        let counts = Guarded((changes: 0, overlaps: 0, running: 2))
        let failures = Log()
        let threads = Threads()
        for registrar in 0..<2 {
            threads.start {
                for index in 0..<5_000 {
                    let url = "app://churn\(registrar)/\(index)"
                    let registration = router.map(url) { _ in }
                    if !router.canOpen(url) { failures.add("lost \(url)") }
                    counts.withLock { $0.changes += 1 }
                    registration.dispose()
                    if router.canOpen(url) { failures.add("still there: \(url)") }
                }
                counts.withLock { $0.running -= 1 }
            }
        }
        let opened = Guarded<[OpenedRoute]>([])
        for _ in 0..<4 {
            threads.start {
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
        }
        await threads.join()
        let all = opened.withLock { $0 }
        for route in all { #expect(await route.outcome.isHandled) }
        let overlaps = counts.withLock { $0.overlaps }
        print("routes: \(overlaps) look-ups overlapped a change, \(all.count) requests")
        #expect(overlaps > 0)
        #expect(failures.lines == [])
        #expect(router.registrationCount == 1)
    }
}

/// Threads that are joined without blocking the test's own.
final class Threads: Sendable {
    private let running = Guarded(0)

    func start(_ body: @escaping @Sendable () -> Void) {
        running.withLock { $0 += 1 }
        let thread = Thread { [running] in
            body()
            running.withLock { $0 -= 1 }
        }
        thread.start()
    }

    func join() async {
        while running.withLock({ $0 }) > 0 { await Task.yield() }
    }
}
