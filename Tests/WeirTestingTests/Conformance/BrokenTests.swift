import Testing
import WeirTesting

/// Each rule is seen to fail on a stage that breaks it, and on no other stage.
@Suite(.serialized) struct BrokenTests {
    static let patience = Duration.seconds(1)
    static let all =
        Broken.signals + Broken.demand + Broken.upstream + Broken.life + Broken.threads + Broken.others

    @Test(arguments: all.map(\.rule)) func breaksItsOwnRuleAlone(rule: String) async throws {
        let subject = try #require(Self.all.first { $0.rule == rule }).subject
        let report = await Conformance(patience: Self.patience).run(subject)
        #expect(Set(report.violations.map(\.rule)) == [rule], "\(report)")
        #expect(report.violations.allSatisfy { $0.operatorName == subject.name && !$0.what.isEmpty })
    }

    @Test func everyRuleHasItsFixture() {
        let rules = Conformance.allRules.map(\.name)
        #expect(Set(rules).subtracting(Self.all.map(\.rule)) == [])
        #expect(Set(Self.all.map(\.rule)).subtracting(rules) == [])
        #expect(Set(rules).count == rules.count)
    }

    @Test func aFaultlessRelayKeepsAllRules() async {
        let report = await Conformance().run(
            OperatorUnderTest("relay", [.passesDemand]) { up, setting in Fault().stream(up, setting) })
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.overlaps > 0)
        #expect(report.description.hasPrefix("relay: "))
    }

    @Test func violationsAreReadable() {
        let violation = Violation(
            rule: "1.1 never more than was asked for", operatorName: "mine", what: "2 elements came")
        #expect("\(violation)" == "mine breaks \"1.1 never more than was asked for\": 2 elements came")
    }
}
