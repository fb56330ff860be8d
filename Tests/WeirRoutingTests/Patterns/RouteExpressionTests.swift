import Foundation
import Testing
import WeirRouting
import WeirTestSupport

/// Constraints by regular expression.
@Suite(.ownThread) struct RouteExpressionTests {
    @Test(arguments: [
        // expression, what it takes, what it does not
        ("[a-z]+", ["a", "abc"], ["A", "a1", "1"]), ("new|old", ["new", "old"], ["newold", "ne", "NEW"]),
        ("[0-9]{4}-[0-9]{2}", ["2026-11"], ["2026-1", "2026-111", "202-11"]),
        ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]), ("a{2,}", ["aa", "aaaaaaa"], ["a", "aab"]),
        ("(ab?)*c", ["c", "abac", "aac"], ["abb", "abbc"]), ("(|x)y", ["y", "xy"], ["xxy"]),
        (".", ["a", "ü", "\u{1F600}"], ["ab", "e\u{301}"]), ("[^/]+", ["a b"], ["a%2Fb"]),
        ("\\d+\\.\\w*", ["1.x_Y9", "22."], ["1x", "1.-"]), ("\\S\\s\\D", ["a%20b"], ["a%201", "ab"]),
        ("[a\\]-]+", ["a]-"], ["b"]), ("[-a]+", ["-a"], ["b"]), ("[a-]+", ["-a"], ["b"]),
        ("[ä-ü]+", ["äöü"], ["a"]), ("x\\(y\\)|\\\\", ["x(y)", "\\"], ["xy"]), ("(a+)+b", ["aab"], ["aaa"]),
        ("((a|b){2}){2}", ["abba"], ["aba", "ababa"]), ("a{0}b", ["b"], ["ab"]), ("(a?){3}", ["a", "aaa"], ["aaaa"]),
    ])
    func takesTheWholeSegment(expression: String, takes: [String], refuses: [String]) throws {
        let table = RouteTable([try parsed(expression)])
        for text in takes { #expect(try table.match("/\(text)") != nil, "\(expression) takes \(text)") }
        for text in refuses { #expect(try table.match("/\(text)") == nil, "\(expression) does not take \(text)") }
    }

    @Test(arguments: [
        ("/:a(^b)", 4, "an expression takes the whole segment and has no ^"),
        ("/:a(b$)", 5, "an expression takes the whole segment and has no $"),
        ("/:a((?=b)c)", 5, "there is neither look-around nor a (?…) group; a plain ( ) groups"),
        ("/:a((b)\\1)", 7, "there are no back-references"),
        ("/:a(\\bx)", 4, "an expression takes the whole segment: no anchors"),
        ("/:a(x\\y)", 5, "no such escape; there are \\d \\w \\s \\D \\W \\S \\n \\r \\t and \\ before a sign"),
        ("/:a(*b)", 4, "nothing stands before this * to repeat"),
        ("/:a(b**)", 6, "this repeats a repetition; put that into a group"),
        ("/:a(b+?)", 6, "this repeats a repetition; put that into a group"),
        ("/:a(b{65})", 6, "something repeats at most 64 times by number"),
        ("/:a(b{5,3})", 5, "{5,3} has its larger number first"),
        ("/:a(b{x})", 6, "a number is missing, as in {2,5}"),
        ("/:a(b{2)", 5, "a } is missing for this {"),
        ("/:a(((b{64}){64}))", 12, "an expression has at most 1000 states; this makes more"),
        ("/:a([z-a])", 5, "a range goes from one character to one that comes later"),
        ("/:a([])", 4, "a class has at least one character; write \\] for a literal ]"),
        ("/:a([a)", 4, "a ] is missing for this ["),
        ("/:a([a[b]])", 6, "write \\[ for a literal ["),
        ("/:a(b])", 5, "write \\] for a literal ]"),
        ("/:a((b)", 3, "a ) is missing for this ("),
        ("/:a([a-z", 4, "a ] is missing for this ["),
        ("/:a()", 4, "a constraint is missing between ( and )"),
        ("/:a(x\\", 5, "something is missing behind this \\"),
        ("/:a([a]+)b", 9, "a parameter takes a whole segment"),
    ])
    func isRefusedWithItsPlace(text: String, offset: Int, reason: String) {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func itsSizeAndDepthAreBounded() throws {
        #expect(throws: Never.self) { try parsed("(" + String(repeating: "[a]", count: 1_000) + ")") }
        #expect(throws: RoutePatternError.self) { try parsed(String(repeating: "[a]", count: 1_001)) }
        #expect(throws: RoutePatternError.self) { try parsed((0...1_000).map { "\($0)" }.joined(separator: "|")) }
        let deep = String(repeating: "(", count: 100_000)
        #expect(throws: RoutePatternError.self) { try parsed(deep + "a") }
        #expect(throws: Never.self) {
            try parsed(String(repeating: "(", count: 50) + "a|b" + String(repeating: ")", count: 50))
        }
    }

    /// What takes nothing could be repeated without end, for it adds no state.
    @Test func nothingRepeatedIsNothing() throws {
        let nothing = String(repeating: "(", count: 40) + String(repeating: "){64}", count: 40)
        let table = RouteTable([try parsed("a\(nothing)b")])
        #expect(try table.match("/ab") != nil)
        #expect(try table.match("/a") == nil)
        #expect(try RouteTable([parsed("(a{0}){64}x|(|||)y|(z{0}|w)+")]).match("/x") != nil)
        let many = "(" + String(repeating: "()", count: 100_000) + "a){64}" + String(repeating: "|", count: 100_000)
        #expect(try RouteTable([parsed(many)]).match("/" + String(repeating: "a", count: 64)) != nil)
    }

    /// An engine that goes back would take longer than the universe.
    @Test func itsTimeIsLinearInTheSegment() throws {
        let table = try table(["/:x((a+)+b)", "/:y((a|a)*c)", "/:z((a*){64}d)"])
        let long = String(repeating: "a", count: 20_000)
        #expect(try table.match("/" + long) == nil)
        #expect(try table.match("/" + long + "b")?.parameters["x"]?.count == 20_001)
        #expect(try table.match("/" + long + "d")?.pattern.parameterNames == ["z"])
    }

    @Test func ofTwoExpressionsTheFirstInTextOrderIsAskedFirst() throws {
        var random = Seeded(3)
        let ranked = ["/x/:i(int)", "/x/:a([a-z0-9]+)", "/x/:b([a-z]+)", "/x/:b", "/x/*"]
        for _ in 1...50 {
            let table = try table(ranked.shuffled(using: &random))
            #expect(table.patterns.map(\.text) == ranked)
            #expect(try table.winner("/x/7") == "/x/:i(int)")
            #expect(try table.winner("/x/q") == "/x/:a([a-z0-9]+)")
            #expect(try table.winner("/x/q!") == "/x/:b")
        }
    }

    @Test func equalExpressionsAreEqualPatterns() throws {
        let table = try table(["/:a([a-z]+)", "/:b([a-z]+)?"])
        #expect(try table.match("/x")?.index == 1)
        #expect(try table.winner("/") == "/:b([a-z]+)?")
        #expect(table.explain("/7").description.contains(#"nearly: /:a([a-z]+): :a([a-z]+) did not take "7""#))
    }

    @Test func randomExpressionsAgreeWithFoundation() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random expressions, seed \(seed)")
        var random = Seeded(seed)
        var (taken, refused) = (0, 0)
        for _ in 1...1_000 {
            let expression = RandomExpression.make(&random, depth: 3)
            guard !expression.allSatisfy(\.isLetter) else { continue }
            let table = RouteTable([try parsed(expression)])
            let oracle = try NSRegularExpression(pattern: "^(?:\(expression))$", options: .dotMatchesLineSeparators)
            for _ in 1...10 {
                let text = (0...random.below(7)).map { _ in random.pick(["a", "b", "c", "7", "-", "\u{E9}"]) }.joined()
                let expected = oracle.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
                let found = try table.match("/\(text)") != nil
                #expect(found == expected, "seed \(seed): \(expression) and \(text)")
                if found { taken += 1 } else { refused += 1 }
            }
        }
        print("random expressions took \(taken) texts and refused \(refused)")
        #expect(taken > 500 && refused > 500)
    }

    private func parsed(_ expression: String) throws(RoutePatternError) -> RoutePattern {
        try RoutePattern("/:x(\(expression))")
    }
}
