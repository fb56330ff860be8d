import Foundation
import Testing
import WeirTesting

/// All operators keep all rules, and all operators are listed.
@Suite(.serialized) struct ConformanceTests {
    /// Other tests may keep the pool's threads busy for that long; who needs no pool never waits.
    static let patience = Duration.seconds(300)

    /// They say nothing during which another thread could call in.
    static let silent: Set = [
        "empty", "fail", "async that throws", "never", "sequence of none", "prefix(0)", "repeat(0)",
    ]

    /// On one thread, in virtual time, and on two threads, which have to meet.
    @Test(arguments: OperatorRegistry.entries.flatMap(\.forms))
    func keepsTheRulesAlsoWithThreads(subject: OperatorUnderTest) async {
        let report = await Conformance(patience: Self.patience).run(subject)
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.checked.count > 10)
        print("conformance: \(report.checked.count) rules, \(report.overlaps) calls in a signal: \(subject)")
        var overlaps = report.overlaps
        // On a busy machine they may miss each other.
        for _ in 0..<10 where overlaps == 0 && !Self.silent.contains(subject.name) {
            overlaps = await Conformance(rules: Conformance.threadRules, patience: Self.patience).run(subject).overlaps
        }
        #expect((overlaps == 0) == Self.silent.contains(subject.name), "two threads never met: \(report)")
    }

    /// Folders of Sources/Weir whose files are an operator each.
    static let folders = [
        "Creating", "Transforming", "Flattening", "Filtering", "Timing", "Chunking", "Combining", "Aggregating",
        "Recovering", "Inspecting", "Scheduling", "Sharing", "Subjects", "Consuming",
    ]

    @Test func everyFileHasOneEntry() throws {
        let core = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Weir")
        var files: [String] = []
        for folder in Self.folders {
            let path = core.appending(path: folder).path(percentEncoded: false)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            files += names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0.dropLast(6))" }
        }
        try #require(files.count > 20, "the sources of the core are not where this test looks: \(core.path())")
        let listed = OperatorRegistry.entries.map(\.file) + OperatorRegistry.consumers
        #expect(Set(files).subtracting(listed).sorted() == [], "files without an entry in OperatorRegistry.swift")
        #expect(Set(listed).subtracting(files).sorted() == [], "entries of OperatorRegistry.swift without a file")
        #expect(listed.count == Set(listed).count, "an operator is listed twice")
    }
}
