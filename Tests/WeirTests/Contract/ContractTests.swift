import Foundation
import Testing

/// The page Contract names tests that exist, one at least under each rule.
@Suite struct ContractTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The rules of the page, and the tests that each names, as in `MapTests.many`.
    static func rules() throws -> [(name: String, tests: [String])] {
        let page = try String(contentsOf: root.appending(path: "Docs/Contract.md"), encoding: .utf8)
        return page.components(separatedBy: "\n### ").dropFirst().map { section in
            let name = section.prefix { $0 != "\n" }
            let tests = section.matches(of: /`([A-Z][A-Za-z]*Tests\.[A-Za-z]+)`/).map { String($0.output.1) }
            return (String(name), tests)
        }
    }

    @Test func everyRuleNamesTestsThatExist() throws {
        let rules = try Self.rules()
        #expect(rules.count > 30)
        #expect(rules.filter { $0.tests.isEmpty }.map(\.name) == [], "rules without a test")
        let tests = Self.root.appending(path: "Tests").resolvingSymlinksInPath()
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.allObjects as? [URL]
        var sources: [String: String] = [:]
        for file in files ?? [] where file.pathExtension == "swift" {
            sources[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        let missing = rules.flatMap(\.tests).filter { test in
            let parts = test.split(separator: ".")
            return sources[String(parts[0])]?.contains("func \(parts[1])(") != true
        }
        #expect(missing == [], "tests that the page names and nobody has written")
    }
}
