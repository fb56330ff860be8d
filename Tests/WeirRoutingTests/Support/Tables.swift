import Foundation
import WeirRouting

/// A table from texts; a test that misspells a pattern fails with the caret.
func table(_ patterns: [String], _ options: RoutingOptions = []) throws -> RouteTable {
    RouteTable(try patterns.map { text throws(RoutePatternError) in try RoutePattern(text) }, options: options)
}

extension RouteTable {
    /// The text of the pattern that takes a URL.
    func winner(_ url: String) throws(RouteURLError) -> String? { try match(url)?.pattern.text }
}

/// The folder of the shared data, where the environment names one.
let sharedRoutes = ProcessInfo.processInfo.environment["WEIR_SHARED"].map { $0 + "/routes" }
