import WeirTestSupport

/// Expressions that this library and Foundation read alike.
enum RandomExpression {
    static func make(_ random: inout Seeded, depth: Int) -> String {
        (0...random.below(3)).map { _ in item(&random, depth) }.joined()
    }

    private static func item(_ random: inout Seeded, _ depth: Int) -> String {
        let unit =
            switch random.below(depth > 0 ? 8 : 6) {
            case 0: "[abc]"
            case 1: "[^a-b]"
            case 2: random.pick(["\\d", "\\D", "[\\d\\-]"])
            case 3: "."
            case 4, 5: random.pick(["a", "b", "7", "-", "\u{E9}"])
            case 6: "(" + make(&random, depth: depth - 1) + ")"
            default: "(" + make(&random, depth: depth - 1) + "|" + make(&random, depth: depth - 1) + ")"
            }
        return unit + random.pick(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}"])
    }
}
