/// Reads the expression of a constraint, up to the parenthesis that closes it, and points at the first fault.
///
///     choice   = sequence *("|" sequence)
///     sequence = *(item ["*" | "+" | "?" | "{" m ["," [n]] "}"])
///     item     = character | "." | "\" escape | "[" ["^"] class "]" | "(" choice ")"
///
/// There are no anchors, since it takes a whole segment anyway, and neither look-around nor back-references: no automaton
/// has them.
struct ExpressionParser {
    struct Fault: Error {
        let position: String.Index
        let reason: String
    }

    static let maximumStates = 1_000
    static let maximumRepetition = 64
    private static let maximumDepth = 50

    private let scalars: String.UnicodeScalarView
    /// Behind what was read.
    private(set) var position: String.Index
    private var depth = 0

    init(_ scalars: String.UnicodeScalarView, at position: String.Index) {
        self.scalars = scalars
        self.position = position
    }

    /// Reads as far as the closing parenthesis, which stays.
    mutating func parse() throws(Fault) -> ExpressionNode {
        var choices: [ExpressionNode] = []
        var takesNothing = false
        var states = 0
        repeat {
            let nodes = try readSequence(&states)
            if nodes.isEmpty { takesNothing = true } else { choices.append(.sequence(nodes)) }
        } while skip("|")
        // One empty choice says as much as many.
        if takesNothing { choices.append(.sequence([])) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func readSequence(_ states: inout Int) throws(Fault) -> [ExpressionNode] {
        var nodes: [ExpressionNode] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            let start = position
            let node = try readRepetition(of: try readItem())
            let count = node.states
            // What has no state takes nothing, and copies of it have no bound: ((){64}){64}.
            if count == 0 { continue }
            nodes.append(node)
            states += count
            guard states <= Self.maximumStates else {
                throw fault("an expression has at most \(Self.maximumStates) states; this is one too many", at: start)
            }
        }
        return nodes
    }

    private mutating func readItem() throws(Fault) -> ExpressionNode {
        let start = position
        guard let scalar = next() else { throw fault("a ) is missing", at: start) }
        switch scalar {
        case ".": return .one(.any)
        case "\\": return .one(try readEscape(from: start))
        case "[": return .one(try readClass(from: start))
        case "(": return try readGroup(from: start)
        case "*", "+", "?", "{": throw fault("nothing stands before this \(scalar) to repeat", at: start)
        case "]", "}": throw fault("write \\\(scalar) for a literal \(scalar)", at: start)
        case "^", "$": throw fault("an expression takes the whole segment and has no \(scalar)", at: start)
        default: return .one(ScalarSet([scalar.value...scalar.value]))
        }
    }

    private mutating func readGroup(from start: String.Index) throws(Fault) -> ExpressionNode {
        if peek == "?" {
            throw fault("there is neither look-around nor a (?…) group; a plain ( ) groups", at: position)
        }
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth { throw fault("groups stand at most \(Self.maximumDepth) deep", at: start) }
        let node = try parse()
        guard skip(")") else { throw fault("a ) is missing for this (", at: start) }
        return node
    }

    // MARK: Repetitions

    private mutating func readRepetition(of node: ExpressionNode) throws(Fault) -> ExpressionNode {
        let start = position
        var repeated = node
        switch peek {
        case "*": repeated = .repeated(node, least: 0, most: nil)
        case "+": repeated = .repeated(node, least: 1, most: nil)
        case "?": repeated = .repeated(node, least: 0, most: 1)
        case "{":
            _ = next()
            return try checked(try readBounds(of: node, from: start), from: start)
        default: return node
        }
        _ = next()
        return try checked(repeated, from: start)
    }

    private func checked(_ node: ExpressionNode, from start: String.Index) throws(Fault) -> ExpressionNode {
        if node.states > Self.maximumStates {
            throw fault("an expression has at most \(Self.maximumStates) states; this makes more", at: start)
        }
        if let scalar = peek, "*+?{".unicodeScalars.contains(scalar) {
            throw fault("this repeats a repetition; put that into a group", at: position)
        }
        return node
    }

    private mutating func readBounds(
        of node: ExpressionNode, from start: String.Index
    ) throws(Fault) -> ExpressionNode {
        let least = try readNumber()
        var most: Int? = least
        if skip(",") { most = peek == "}" ? nil : try readNumber() }
        guard skip("}") else { throw fault("a } is missing for this {", at: start) }
        if let most, most < least { throw fault("{\(least),\(most)} has its larger number first", at: start) }
        return .repeated(node, least: least, most: most)
    }

    private mutating func readNumber() throws(Fault) -> Int {
        let start = position
        var number: Int?
        while let scalar = peek, "0"..."9" ~= scalar {
            number = min((number ?? 0) * 10 + Int(scalar.value - 48), Self.maximumRepetition + 1)
            _ = next()
        }
        guard let number else { throw fault("a number is missing, as in {2,5}", at: start) }
        guard number <= Self.maximumRepetition else {
            throw fault("something repeats at most \(Self.maximumRepetition) times by number", at: start)
        }
        return number
    }

    // MARK: Characters

    private mutating func readClass(from start: String.Index) throws(Fault) -> ScalarSet {
        let isInverted = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !skip("]") {
            let itemStart = position
            let low = try readClassItem(from: start)
            guard low.isOne, peek == "-", let after = peekSecond, after != "]" else {
                ranges += low.ranges
                continue
            }
            _ = next()
            let high = try readClassItem(from: start)
            guard high.isOne, let from = low.ranges.first, let to = high.ranges.first, from.lowerBound <= to.lowerBound
            else { throw fault("a range goes from one character to one that comes later", at: itemStart) }
            ranges.append(from.lowerBound...to.lowerBound)
        }
        if ranges.isEmpty { throw fault("a class has at least one character; write \\] for a literal ]", at: start) }
        let set = ScalarSet(ranges)
        return isInverted ? set.inverted : set
    }

    private mutating func readClassItem(from start: String.Index) throws(Fault) -> ScalarSet {
        let here = position
        guard let scalar = next() else { throw fault("a ] is missing for this [", at: start) }
        switch scalar {
        case "\\": return try readEscape(from: here)
        case "[": throw fault("write \\[ for a literal [", at: here)
        default: return ScalarSet([scalar.value...scalar.value])
        }
    }

    private mutating func readEscape(from start: String.Index) throws(Fault) -> ScalarSet {
        guard let scalar = next() else { throw fault("something is missing behind this \\", at: start) }
        switch scalar {
        case "d": return .digits
        case "D": return .digits.inverted
        case "w": return .word
        case "W": return .word.inverted
        case "s": return .space
        case "S": return .space.inverted
        case "n": return ScalarSet([10...10])
        case "r": return ScalarSet([13...13])
        case "t": return ScalarSet([9...9])
        case "1"..."9": throw fault("there are no back-references", at: start)
        case "b", "B", "A", "z", "Z", "G": throw fault("an expression takes the whole segment: no anchors", at: start)
        case "0", "a"..."z", "A"..."Z":
            throw fault("no such escape; there are \\d \\w \\s \\D \\W \\S \\n \\r \\t and \\ before a sign", at: start)
        default: return ScalarSet([scalar.value...scalar.value])
        }
    }

    private var peek: Unicode.Scalar? { position < scalars.endIndex ? scalars[position] : nil }

    private var peekSecond: Unicode.Scalar? {
        guard position < scalars.endIndex else { return nil }
        let second = scalars.index(after: position)
        return second < scalars.endIndex ? scalars[second] : nil
    }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        position = scalars.index(after: position)
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        _ = next()
        return true
    }

    private func fault(_ reason: String, at position: String.Index) -> Fault {
        Fault(position: position, reason: reason)
    }
}

extension ScalarSet {
    /// It holds one character only.
    fileprivate var isOne: Bool { ranges.count == 1 && ranges[0].count == 1 }
}
