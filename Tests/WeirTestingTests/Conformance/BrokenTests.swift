import Testing
import WeirTesting

/// Each rule is seen to fail on a stage that breaks it, and on no other stage.
@Suite(.serialized) struct BrokenTests {
    /// For the two that block: the suite has to lose its patience with them, and with no other.
    static let patience = Duration.seconds(2)
    static let blocking = [
        "a handler may hold a lock that the caller holds", "two operators that feed each other on two threads finish",
    ]
    static let all =
        Broken.signals + Broken.demand + Broken.upstream + Broken.processor + Broken.sharing + Broken.life
        + Broken.threads
        + Broken.others

    @Test(arguments: all.map(\.rule)) func breaksItsOwnRuleAlone(rule: String) async throws {
        let subject = try #require(Self.all.first { $0.rule == rule }).subject
        let patience = Self.blocking.contains(rule) ? Self.patience : .seconds(60)
        let report = await Conformance(patience: patience).run(subject)
        #expect(Set(report.violations.map(\.rule)) == [rule], "\(report)")
        #expect(report.violations.allSatisfy { $0.operatorName == subject.name && !$0.what.isEmpty })
    }

    @Test func everyRuleHasItsFixture() {
        let rules = Conformance.allRules.map(\.name)
        #expect(Set(rules).subtracting(Self.all.map(\.rule)) == [])
        #expect(Set(Self.all.map(\.rule)).subtracting(rules) == [])
        #expect(Set(rules).count == rules.count)
    }

    /// The other half of rule 2.4: the fixture above holds an end, but no elements.
    @Test func anUpstreamThatIsAskedBehindAQueueIsSeen() async {
        let fault = Fault(
            next: { relay, element in relay.now.elements == 0 ? relay.emit(element) : true },
            done: { relay, completion in if relay.now.requested >= 47 { relay.end(completion) } },
            request: { relay, demand in relay.ask(demand == 1 ? 8 : demand) })
        let rules = Conformance.allRules.filter { $0.name == "2.4 an upstream that has ended is not asked" }
        let report = await Conformance(rules: rules).run(
            OperatorUnderTest("asks behind a queue") { up, setting in fault.stream(up, setting) })
        let what = "an upstream whose end waited behind a queue was asked 1 times and cancelled 1 times"
        #expect(report.violations.map(\.what) == [what, what], "\(report)")
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
