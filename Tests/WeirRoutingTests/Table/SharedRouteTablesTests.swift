import Foundation
import Testing
import WeirRouting
import WeirTestSupport
import WeirTesting

/// Real tables with the pattern expected for each URL. The method stands before the path as the first segment.
@Suite struct SharedRouteTablesTests {
    @Test(
        .enabled(if: sharedRoutes != nil, "needs the route tables in WEIR_SHARED"),
        arguments: ["github", "parse", "static"])
    func realTablesAreMatchedInEveryOrder(name: String) throws {
        let (routes, urls) = try read(name)
        var random = Seeded(2)
        for _ in 1...100 {
            let table = try table(routes.shuffled(using: &random))
            for (url, expected) in urls { #expect(try table.winner(url) == expected) }
        }
    }

    /// A router whose routes come and go answers like a table of those that are left, and like the whole one at last.
    @Test(
        .enabled(if: sharedRoutes != nil, "needs the route tables in WEIR_SHARED"),
        arguments: ["github", "parse", "static"])
    func realTablesAreMatchedAfterRandomDisposals(name: String) async throws {
        let (routes, urls) = try read(name)
        var random = Seeded(4)
        var disposals = 0
        for _ in 1...10 {
            let router = Router(on: VirtualClock())
            var standing: [(route: String, registration: RouteRegistration)] = []
            for route in (routes + routes).shuffled(using: &random) {
                standing.append((route, router.map(route) { _ in }))
                guard random.oneIn(2) else { continue }
                let gone = standing.remove(at: random.below(standing.count))
                gone.registration.dispose()
                disposals += 1
            }
            let left = try table(standing.map(\.route))
            for (url, _) in urls { #expect(await router.winner(url) == (try left.winner(url))) }
            let missing = Set(routes).subtracting(standing.map(\.route))
            for route in missing.shuffled(using: &random) { router.map(route) { _ in } }
            for (url, expected) in urls { #expect(await router.winner(url) == expected) }
        }
        print("\(name): \(disposals) disposals")
        #expect(disposals > 100)
    }

    private func read(_ name: String) throws -> (routes: [String], urls: [(url: String, expected: String)]) {
        let folder = try #require(sharedRoutes)
        let routes = try lines("\(folder)/\(name).txt").map { "/" + $0.split(separator: " ").joined() }
        let rows = try lines("\(folder)/\(name).urls.tsv").map { $0.split(separator: "\t") }
        return (routes, rows.map { ("/\($0[0])\($0[1])", "/\($0[0])\($0[2])") })
    }

    private func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }
}

extension Router {
    /// The text of the pattern that handles a URL.
    fileprivate func winner(_ url: String) async -> String? {
        if case .handled(let pattern, _) = await open(url) { pattern.text } else { nil }
    }
}
