/// Where a pattern stands among others, most particular first. It orders the lists that people read; the tree finds its
/// way by itself, and must agree with it.
struct RoutePrecedence: Comparable {
    /// One segment, or the end. An end comes before all that goes on; different literals never meet, and go by number.
    private enum Step: Comparable {
        case end
        case literal(Int)
        case constrained(RouteConstraint)
        case parameter
        case any
        case rest
    }

    private let steps: [Step]
    private let frame: Int32

    /// - Parameter numbers: of all literals, in lower case.
    private init(_ pattern: RoutePattern, _ numbers: [String: Int]) {
        var steps: [Step] = pattern.storage.segments.map { segment in
            switch segment {
            case .literal(let text): .literal(numbers[text.lowercased()] ?? 0)
            case .parameter(_, let constraint?): .constrained(constraint)
            case .parameter: .parameter
            case .any: .any
            }
        }
        steps.append(pattern.storage.rest == nil ? .end : .rest)
        self.steps = steps
        frame = pattern.storage.frameRank
    }

    static func < (left: RoutePrecedence, right: RoutePrecedence) -> Bool {
        left.steps == right.steps
            ? left.frame < right.frame : left.steps.lexicographicallyPrecedes(right.steps)
    }

    /// The numbers of the patterns in the order in which they are tried: of equal ones, the later first.
    ///
    /// - Complexity: O(*n* log *n*).
    static func order(_ patterns: [(index: Int, pattern: RoutePattern)]) -> [Int] {
        let numbers = literalNumbers(patterns.map(\.pattern))
        return patterns.map { (RoutePrecedence($0.pattern, numbers), -$0.index) }.sorted { $0 < $1 }.map { -$0.1 }
    }

    /// Numbers the literals by their bytes. `==` on strings knows that two spellings are equivalent, and so does a
    /// dictionary; `<` in Swift 6.3 does not order them: "e\u{301}" is neither less than "\u{E9}a", nor greater, nor equal.
    private static func literalNumbers(_ patterns: [RoutePattern]) -> [String: Int] {
        var texts = Set<String>()
        for pattern in patterns {
            for case .literal(let text) in pattern.storage.segments { texts.insert(text.lowercased()) }
        }
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return Dictionary(uniqueKeysWithValues: zip(sorted, 0...))
    }
}

extension RoutePattern.Storage {
    /// Decides between patterns with equal segments, lower first: by the scheme, then by a host that is demanded.
    var frameRank: Int32 { (scheme == nil ? 2 : 0) + (host == .any ? 1 : 0) }

    /// What decides, before the frame, between patterns that end at one place: a whole pattern comes first, then one whose
    /// last segment is missing, as constrained as it is.
    func shortness(isShort: Bool) -> Shortness {
        guard isShort, case .parameter(_, let constraint) = segments.last else { return .whole }
        return constraint.map { .constrained($0) } ?? .parameter
    }

    enum Shortness: Comparable {
        case whole
        case constrained(RouteConstraint)
        case parameter
    }
}
