// Look-ups and registrations of routes: real tables, where WEIR_SHARED names the folder that has them, and made ones.

import Foundation
import WeirRouting

let routingRows = realTables + madeTables + registering

/// The real tables' bars: match alone, and with the parameters as strings.
private let realTables: [Row] = [
    ("github", 203, Bar.routeGitHub, Bar.routeGitHubParameters),
    ("parse", 26, .routeParse, .routeParseParameters), ("static", 157, .routeStatic, .routeStaticParameters),
].flatMap { name, count, bar, parametersBar in
    SharedTable(name).map { lookUps("\(name), \(count) routes", $0, bar, parametersBar) } ?? []
}

private let madeTables = [
    (200, Bar.route200), (1_000, .route1000), (10_000, .route10000),
].flatMap { count, bar in lookUps("\(count) made routes", MadeTable(count), bar, nil) }

private let registering: [Row] = [
    Row("a table of 10,000 routes", per: "route", units: 10_000, bar: .routeTable, expected: 10_000) {
        let made = MadeTable(10_000)
        return { (try? RouteTable(made.patterns).match(made.urls[0])) == nil ? 0 : 10_000 }
    },
    Row("10,000 registrations, one by one", per: "route", units: 10_000, bar: .routeMap, expected: 10_000) {
        let patterns = MadeTable(10_000).patterns
        return {
            let router = Router()
            for pattern in patterns { router.map(pattern) { _ in } }
            return router.registrationCount
        }
    },
    Row("1,000 routes, one more and a look-up", per: "change", units: 100, expected: 100) {
        let router = Router()
        let table = MadeTable(1_000)
        for pattern in table.patterns { router.map(pattern) { _ in } }
        return {
            var found = 0
            for url in table.urls.prefix(100) {
                let registration = router.map("/one/more") { _ in }
                if router.canOpen(url) { found += 1 }
                registration.dispose()
            }
            return found
        }
    },
    Row("open and serve", per: "request", units: 10_000, time: .process, expected: 10_000) {
        let router = Router()
        router.map("app://user/:id") { _ in }
        return {
            wait {
                var handled = 0
                for _ in 0..<10_000 where await router.open("app://user/7").isHandled { handled += 1 }
                return handled
            }
        }
    },
]

private protocol RouteTableSource: Sendable {
    var patterns: [RoutePattern] { get }
    var urls: [String] { get }
}

/// Two rows for a table: whether a URL matches, and its parameters too.
private func lookUps(_ name: String, _ source: some RouteTableSource, _ bar: Bar?, _ parametersBar: Bar?) -> [Row] {
    let count = source.urls.count
    let rounds = max(1, 50_000 / max(1, count))
    let whole = count * rounds
    return [
        Row("\(name), match", per: "look-up", units: whole, bar: bar, expected: whole) {
            let table = RouteTable(source.patterns)
            let urls = source.urls
            return {
                var found = 0
                for _ in 0..<rounds { for url in urls where (try? table.match(url)) != nil { found &+= 1 } }
                return found
            }
        },
        Row("\(name), with parameters", per: "look-up", units: whole, bar: parametersBar, expected: whole) {
            let table = RouteTable(source.patterns)
            let urls = source.urls
            return {
                var found = 0
                for _ in 0..<rounds {
                    for url in urls {
                        guard let match = try? table.match(url) else { continue }
                        if match.parameters.items.count == match.pattern.parameterNames.count { found &+= 1 }
                    }
                }
                return found
            }
        },
    ]
}

/// A table of the shared data. The method stands before the path as the first segment.
private struct SharedTable: RouteTableSource {
    let patterns: [RoutePattern]
    let urls: [String]

    init?(_ name: String) {
        guard let folder = ProcessInfo.processInfo.environment["WEIR_SHARED"].map({ $0 + "/routes" }),
            let routes = try? String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8),
            let rows = try? String(contentsOfFile: "\(folder)/\(name).urls.tsv", encoding: .utf8)
        else { return nil }
        patterns = routes.split(separator: "\n").compactMap {
            try? RoutePattern("/" + $0.split(separator: " ").joined())
        }
        urls = rows.split(separator: "\n").map { "/" + $0.split(separator: "\t").prefix(2).joined() }
    }
}

/// Routes as an application may have them: a third without parameters, a third with one, a third with two.
private struct MadeTable: RouteTableSource {
    let patterns: [RoutePattern]
    let urls: [String]

    init(_ count: Int) {
        patterns = (0..<count).compactMap { number in
            try? RoutePattern(
                "app://area\(number / 30)/section\(number)" + ["", "/:id", "/:id/item/:item"][number % 3])
        }
        urls = stride(from: 0, to: count, by: max(1, count / 500)).map { number in
            "app://area\(number / 30)/section\(number)" + ["", "/77", "/77/item/abc"][number % 3]
        }
    }
}
