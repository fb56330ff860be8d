/// A regular expression that constrains a parameter: `:name([a-z]+)`.
///
/// It takes a segment as a whole, in time linear in its length, since it is an automaton that never goes back. It sees
/// the decoded segment, scalar by scalar, and does not ignore case.
struct RouteExpression: Sendable {
    /// As it is written, without the parentheses around it.
    let text: String
    private let automaton: RouteAutomaton

    init(text: String, _ node: ExpressionNode) {
        self.text = text
        automaton = RouteAutomaton(node)
    }

    func takes(_ segment: UnsafeRawBufferPointer) -> Bool { automaton.takes(segment) }
}

/// By their bytes: two spellings of one character are two expressions.
extension RouteExpression: Hashable, Comparable {
    static func == (left: RouteExpression, right: RouteExpression) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
    static func < (left: RouteExpression, right: RouteExpression) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
    func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

/// An expression as it was read.
indirect enum ExpressionNode {
    case one(ScalarSet)
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    /// So many copies, and with `most` nil the last one as often as it likes.
    case repeated(ExpressionNode, least: Int, most: Int?)
}

/// A set of characters, as ranges of scalars.
struct ScalarSet: Sendable {
    static let all: ClosedRange<UInt32> = 0...0x10FFFF
    static let any = ScalarSet([all])
    static let digits = ScalarSet([0x30...0x39])
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let space = ScalarSet([0x09...0x0D, 0x20...0x20])

    /// Sorted, and apart from each other.
    private(set) var ranges: [ClosedRange<UInt32>] = []

    init(_ ranges: [ClosedRange<UInt32>]) {
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound + 1 {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.all.upperBound { gaps.append(next...Self.all.upperBound) }
        return ScalarSet(gaps)
    }

    func contains(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }
}
