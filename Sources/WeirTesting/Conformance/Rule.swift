/// One rule of the contract, and how it is checked.
public struct Rule: Sendable, CustomStringConvertible {
    /// Its name: the number in Reactive Streams where it has one, and what it says.
    public let name: String
    let applies: @Sendable (OperatorUnderTest) -> Bool
    let check: @Sendable (Trial) -> Void

    init(
        _ name: String, where applies: @escaping @Sendable (OperatorUnderTest) -> Bool = { _ in true },
        check: @escaping @Sendable (Trial) -> Void
    ) {
        self.name = name
        self.applies = applies
        self.check = check
    }

    /// The name.
    public var description: String { name }
}

/// What broke a rule.
public struct Violation: Sendable, Equatable, CustomStringConvertible {
    /// The rule's name.
    public let rule: String
    /// The name of the operator under test.
    public let operatorName: String
    /// What happened.
    public let what: String

    /// A violation, for a suite of your own.
    public init(rule: String, operatorName: String, what: String) {
        self.rule = rule
        self.operatorName = operatorName
        self.what = what
    }

    /// All three in a line.
    public var description: String { "\(operatorName) breaks \"\(rule)\": \(what)" }
}

/// What the suite found out about one operator.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// The name of the operator under test.
    public let operatorName: String
    /// What broke a rule; empty where all is well.
    public internal(set) var violations: [Violation] = []
    /// The rules that were checked.
    public internal(set) var checked: [String] = []
    /// The rules that do not apply to it.
    public internal(set) var skipped: [String] = []
    /// How often one thread called in while another was inside a signal. Zero means that the checks with two threads
    /// have proved nothing.
    public internal(set) var overlaps = 0

    /// A line for each violation, or the counts.
    public var description: String {
        let head =
            "\(operatorName): \(checked.count) rules checked, \(skipped.count) do not apply, "
            + "\(overlaps) overlaps, \(violations.count) violations"
        return ([head] + violations.map { "   \($0)" }).joined(separator: "\n")
    }
}
