import Foundation
import Testing
import WeirTestSupport

/// Random chains of all operators against a plain model of lists.
///
/// `WEIR_FUZZ_CHAINS` sets how many, `WEIR_SEED` where the numbers start. A failure prints the seed of its chain: with that
/// one and a single chain it runs alone.
@Suite(.ownThread) struct ChainFuzzTests {
    static let count = setting("WEIR_FUZZ_CHAINS", or: 10_000)
    static let seed: UInt64 = setting("WEIR_SEED", or: 20_240_229)

    struct Report: Sendable {
        var counts: [String: ChainMeter.Count] = [:]
        var trusts: [ChainTrust: Int] = [:]
        var failures: [String] = []

        mutating func add(_ trial: ChainTrial, _ verdict: ChainTrial.Verdict) {
            trusts[verdict.trust, default: 0] += 1
            for name in trial.chain.names { counts[name, default: .init()].appeared += 1 }
            for (name, count) in verdict.counts {
                counts[name, default: .init()].cancels += count.cancels
                counts[name, default: .init()].failures += count.failures
            }
        }
    }

    static func run(_ count: Int, from seed: UInt64) -> Report {
        var report = Report()
        for index in 0..<count where report.failures.count < 5 {
            let own = seed &+ UInt64(index)
            var generator = ChainGenerator(seed: own)
            let trial = generator.trial()
            let verdict = trial.run()
            report.add(trial, verdict)
            if verdict.problems.isEmpty { continue }
            let smallest = trial.shrunk()
            let problems = smallest.run().problems.joined(separator: "\n  ")
            report.failures.append("WEIR_SEED=\(own) WEIR_FUZZ_CHAINS=1\n\(smallest)\n  \(problems)")
        }
        return report
    }

    @Test func randomChainsDoWhatTheModelSays() {
        let report = Self.run(Self.count, from: Self.seed)
        print(report.table)
        for failure in report.failures { Issue.record("\(failure)") }
        guard Self.count >= 10_000, report.failures.isEmpty else { return }
        let thin = report.counts.filter { $0.value.appeared < 50 || !report.isMet($0.key, $0.value) }
        #expect(thin.keys.sorted() == [], "operators that the chains hardly tried")
        #expect((report.trusts[.time] ?? 0) > Self.count / 2, "too few chains whose answer is known to the instant")
    }

    @Test(arguments: [
        ChainStage.map(1), .dropFirst(1), .prefix(1), .delay(5), .receive(lag: 3, prefetch: 256),
    ])
    func aStageThatTheModelDoesNotKnowIsFoundOut(secret: ChainStage) {
        var tried = 0
        for seed in 1...2_000 as ClosedRange<UInt64> {
            var generator = ChainGenerator(seed: seed)
            let chain = generator.trial().chain
            let model = ChainModel().heard(chain, start: 0, asked: .everything)
            guard model.trust == .time, model.events.count >= 2 else { continue }
            tried += 1
            let trial = ChainTrial(chain: chain, script: ChainScript(), secret: secret)
            #expect(!trial.run().problems.isEmpty, "\(trial)")
        }
        #expect(tried > 300)
    }

    /// Run by their own tests alone: what needs the pool of threads or an actor, what merges by demand, and what would go on
    /// for ever where elements precede each failure. A stream of rows does not fit chains of integers, and `stage` does nothing.
    static let left = [
        "Branches", "FromAsync", "FromAsyncSequence", "FromTracking", "Interval", "Observed", "Retry",
        "Stage",
    ]

    @Test func everyOperatorIsInTheFuzz() {
        let drawn = Set(
            (1...2_000).flatMap { (seed: UInt64) -> [String] in
                var generator = ChainGenerator(seed: seed)
                return generator.trial().chain.names
            })
        let listed = OperatorRegistry.entries.map { $0.file.split(separator: "/").last.map(String.init) ?? $0.file }
        let missing = Set(listed).subtracting(drawn).subtracting(Self.left).sorted()
        #expect(missing == [], "add it to ChainStage in Chain.swift, or to the list of what is left to other tests")
    }
}

extension ChainFuzzTests.Report {
    /// Some have no elements before an end, and some cannot fail nor hear of a failure.
    func isMet(_ name: String, _ count: ChainMeter.Count) -> Bool {
        if ["Empty", "Never", "Fail"].contains(name) { return true }
        let cannotFail = ["Just", "Sequence", "SetFailureType"].contains(name)
        return count.cancels >= 5 && (cannotFail || count.failures >= 5)
    }
    private func column(_ count: Int) -> String {
        String(repeating: " ", count: max(1, 9 - "\(count)".count)) + "\(count)"
    }
    var table: String {
        let lines = counts.sorted { $0.key < $1.key }.map { name, count in
            name.padding(toLength: 18, withPad: " ", startingAt: 0)
                + [count.appeared, count.cancels, count.failures].map(column).joined()
        }
        let trust = trusts.sorted { $0.key > $1.key }.map { "\($0.value) by \($0.key)" }.joined(separator: ", ")
        return "chains: \(trust)\noperator            chains  cancels failures\n" + lines.joined(separator: "\n")
    }
}
