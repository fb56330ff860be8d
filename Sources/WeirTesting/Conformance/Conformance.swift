/// The contract of observables as a suite of checks that any operator can be put through, yours included.
///
///     let report = await Conformance().run(OperatorUnderTest("map") { upstream, _ in upstream.map { $0 + 1 } })
///     #expect(report.violations.isEmpty, "\(report)")
///
/// The rules are those of Reactive Streams 1.0.4 that can be tested and that the types do not already give, by their
/// numbers, and this library's own. Left out: 1.9's order, 2.5, 2.12, 2.13, 3.9, 3.15 and 3.16 (by type); 2.2, 3.1, 3.4
/// and the speed in 3.5 (advice); 2.9 and 2.10 without a preceding request (excluded by the law of attach); 2.7 and 2.11
/// (run the suite under the thread sanitizer). It needs no test framework.
public struct Conformance: Sendable {
    /// The rules, each checked apart from the others.
    public let rules: [Rule]
    /// How long a check waits for something that must happen, in real time, before it calls that a violation.
    public let patience: Duration

    /// A suite.
    ///
    /// - Parameters:
    ///   - rules: all by default.
    ///   - patience: real time; only operators that run on the pool, and broken ones, ever need it.
    public init(rules: [Rule] = Conformance.allRules, patience: Duration = .seconds(20)) {
        self.rules = rules
        self.patience = patience
    }

    /// Every rule there is.
    public static let allRules: [Rule] =
        signalRules + demandRules + upstreamRules + processorRules + sharingRules + lifeRules + reentrancyRules
        + threadRules

    /// Puts an operator through all rules, on a thread of its own, since the checks block.
    public func run(_ subject: OperatorUnderTest) async -> ConformanceReport {
        await withUnsafeContinuation { continuation in
            let isStarted = Threads.start { continuation.resume(returning: runHere(subject)) }
            if !isStarted { continuation.resume(returning: runHere(subject)) }
        }
    }

    private func runHere(_ subject: OperatorUnderTest) -> ConformanceReport {
        var report = ConformanceReport(operatorName: subject.name)
        for rule in rules {
            guard rule.applies(subject) else {
                report.skipped.append(rule.name)
                continue
            }
            let trial = Trial(subject, rule: rule.name, patience: patience)
            rule.check(trial)
            report.checked.append(rule.name)
            report.violations += trial.violations
            report.overlaps += trial.overlaps.value
        }
        return report
    }
}
