import Testing
import WeirRouting
import WeirTestSupport

/// Contract 9.
@Suite(.ownThread) struct RouteFuzzTests {
    private let pieces = [
        "/", "/", "/", ":", "*", "**", "?", "#", "%", "%2", "%41", "%E8", "%C3%A9", "://", "app://", "(", ")", "(int)",
        "(uuid)", "a", "b", "Z", "7", "-", "_", ".", "+", "&", "=", "@", "\u{E9}", "e\u{301}", "\u{301}", "\u{1F600}",
        "\u{0}", " ", "\r\n", "ID", "\u{212A}", "999999999999999999999", "[", "\\",
    ]

    @Test func contract9EveryTextGivesAValue() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random texts, seed \(seed)")
        var random = Seeded(seed)
        var (patterns, urls, matches) = (0, 0, 0)
        for _ in 1...1000 {
            let accepted = (0..<100).compactMap { _ in try? RoutePattern(text(&random)) }
            let table = RouteTable(accepted, options: RoutingOptions(rawValue: UInt8(random.below(8))))
            patterns += accepted.count
            for _ in 1...100 {
                let url = text(&random)
                let match = try? table.match(url)
                // Reading all patterns takes its time in a debug build.
                if random.oneIn(20) {
                    let explanation = table.explain(url)
                    #expect(explanation.match?.text == match?.pattern.text, "seed \(seed): \(url.debugDescription)")
                    if explanation.error == nil { urls += 1 }
                }
                if let match {
                    matches += 1
                    let names = match.parameters.items.filter { $0.source == .path }.map(\.name)
                    #expect(match.pattern.parameterNames.starts(with: names), "seed \(seed): \(url.debugDescription)")
                }
            }
        }
        print("random texts: \(patterns) of 100000 are patterns, about \(urls * 20) URLs, \(matches) matches")
        #expect(patterns > 1000 && urls > 100 && matches > 100)
    }

    private func text(_ random: inout Seeded) -> String {
        (0..<random.below(9)).map { _ in random.pick(pieces) }.joined()
    }
}
