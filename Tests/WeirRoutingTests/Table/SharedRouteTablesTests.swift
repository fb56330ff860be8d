import Foundation
import Testing
import WeirRouting
import WeirTestSupport

/// Real tables with the pattern expected for each URL. The method stands before the path as the first segment.
@Suite struct SharedRouteTablesTests {
    @Test(
        .enabled(if: sharedRoutes != nil, "needs the route tables in WEIR_SHARED"),
        arguments: ["github", "parse", "static"])
    func realTablesAreMatchedInEveryOrder(name: String) throws {
        let folder = try #require(sharedRoutes)
        let routes = try lines("\(folder)/\(name).txt").map { "/" + $0.split(separator: " ").joined() }
        let urls = try lines("\(folder)/\(name).urls.tsv").map { $0.split(separator: "\t") }
        var random = Seeded(2)
        for _ in 1...20 {
            let table = try table(routes.shuffled(using: &random))
            for row in urls { #expect(try table.winner("/\(row[0])\(row[1])") == "/\(row[0])\(row[2])") }
        }
    }

    private func lines(_ path: String) throws -> [Substring] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    }
}
