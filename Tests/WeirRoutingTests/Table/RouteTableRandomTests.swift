import Foundation
import Testing
import WeirRouting
import WeirTestSupport

/// Random tables against the slow matcher, and random texts against everything.
@Suite(.ownThread) struct RouteTableRandomTests {
    private let words = ["a", "b", "7", "user", "Straße", "é", "a/b", "e\u{301}", "%", "q r"]
    private let expressions = [
        "[a-z]+", "[a-z0-9]{1,2}", "(a|user)", "[^b\\n]+", "(a|7)?[a-z]?", "\\d+", "[A-Za-z]{2,}",
    ]

    /// 100,000 tables: WEIR_ROUTE_TABLES=100000, a few minutes of a debug build.
    private let tables = setting("WEIR_ROUTE_TABLES", or: 2_000)

    @Test func randomTablesAgreeWithTheSlowMatcher() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random tables, seed \(seed)")
        var random = Seeded(seed)
        var matched = 0
        for _ in 1...tables {
            let patterns = (0..<(1 + random.below(12))).map { _ in pattern(&random) }
            let slow = try SlowTable(patterns)
            let fast = try table(patterns.map(\.text))
            for _ in 1...50 {
                let (url, text) = url(&random)
                let expected = slow.match(url)
                let found = try fast.match(text)
                #expect(found?.index == expected, "seed \(seed): \(text) in \(patterns.map(\.text))")
                if random.oneIn(10) {
                    #expect(fast.explain(text).match?.text == found?.pattern.text, "seed \(seed): \(text)")
                }
                if found != nil { matched += 1 }
            }
        }
        print("random tables: \(tables) with 50 URLs each, matched \(matched)")
        #expect(matched > tables * 5)
    }

    private func pattern(_ random: inout Seeded) -> SlowPattern {
        let leads: [SlowPattern.Lead] = [.none, .slash, .slash, .host, .scheme, .scheme, .noHost]
        var pattern = SlowPattern(
            lead: random.pick(leads), segments: [], isLastOptional: false, hasRest: random.oneIn(4))
        for _ in 0..<random.below(4) {
            switch random.below(7) {
            case 0: pattern.segments.append(.int)
            case 3: pattern.segments.append(.expression(random.pick(expressions)))
            case 1: pattern.segments.append(.parameter)
            case 2: pattern.segments.append(.any)
            default: pattern.segments.append(.literal(random.pick(words)))
            }
        }
        switch pattern.segments.last {
        case .parameter where !pattern.hasRest, .int where !pattern.hasRest, .expression where !pattern.hasRest:
            pattern.isLastOptional = random.oneIn(2)
        default: break
        }
        // A lone `//` is no pattern.
        if pattern.segments.isEmpty, !pattern.hasRest, pattern.lead == .host { pattern.lead = .slash }
        return pattern
    }

    private func url(_ random: inout Seeded) -> (SlowURL, String) {
        let segments = (0..<random.below(5)).map { _ in random.pick(words) }
        let texts = segments.map { segment in spelled(segment) { random.oneIn(3) } }.joined(separator: "/")
        let tail = random.pick(["", "", "?x=1", "#f", segments.isEmpty ? "" : "/"])
        let hasHost = !segments.isEmpty
        return switch random.below(5) {
        case 0: (SlowURL(scheme: nil, hasHost: false, segments: segments), "/" + texts + tail)
        case 1: (SlowURL(scheme: nil, hasHost: hasHost, segments: segments), "//" + texts + tail)
        case 2: (SlowURL(scheme: "s", hasHost: false, segments: segments), "s:///" + texts + tail)
        case 3: (SlowURL(scheme: "t", hasHost: hasHost, segments: segments), "t://" + texts + tail)
        default: (SlowURL(scheme: "s", hasHost: hasHost, segments: segments), "S://" + texts + tail)
        }
    }
}
