import Foundation
import Testing
import WeirTesting

@testable import Photos

@Suite struct QueriesTests {
    @Test func linesBecomeKeystrokes() throws {
        let strokes = try Queries.parse("# typed\n0 c\n130 ca\r\n\n900   red hills\n950\n", name: "q")
        #expect(
            strokes == [
                Keystroke(after: .zero, text: "c"), Keystroke(after: .milliseconds(130), text: "ca"),
                Keystroke(after: .milliseconds(900), text: "red hills"), Keystroke(after: .milliseconds(950), text: ""),
            ])
    }

    @Test(arguments: [
        ("", "q has no line with milliseconds and a text"),
        ("# only\n", "q has no line with milliseconds and a text"),
        ("x c", "q, line 1: \"x c\" does not begin with milliseconds from 0 to 86400000"),
        ("5 a\n4 b", "q, line 2: \"4 b\" does not begin with milliseconds from 5 to 86400000"),
        ("-1 a", "q, line 1: \"-1 a\" does not begin with milliseconds from 0 to 86400000"),
        (
            "99999999999999999999 a",
            "q, line 1: \"99999999999999999999 a\" does not begin with milliseconds from 0 to 86400000"
        ),
    ])
    func aBrokenFileNamesTheLine(text: String, message: String) {
        #expect { try Queries.parse(text, name: "q") } throws: { "\($0)" == "Photos: queries: \(message)" }
    }

    @Test func aMissingFileAndOneThatIsNotTextAreNamed() {
        #expect { try Queries.load("/nowhere/q.txt") } throws: { "\($0)".contains("/nowhere/q.txt cannot be read") }
        let image = Samples.file("images/cat-wall-small.jpg").path
        #expect { try Queries.load(image) } throws: { "\($0)".hasSuffix("is not UTF-8 text") }
    }

    @Test func theSampleIsGood() throws {
        #expect(try Queries.load(nil).count == 7)
    }

    @Test func textsAreTypedAtTheirTimes() throws {
        let clock = VirtualClock()
        let strokes = [Keystroke(after: .zero, text: "a"), Keystroke(after: .milliseconds(50), text: "ab")]
        let seen = Guarded<[String]>([])
        let start = clock.now
        let token = Observable.typing(strokes, on: clock).subscribe(
            { text in seen.withLock { $0.append("\(text) \(start.duration(to: clock.now))") } },
            done: { end in seen.withLock { $0.append("\(end)") } })
        try clock.run()
        #expect(seen.withLock { $0 } == ["a 0.0 seconds", "ab 0.05 seconds", "finished"])
        token.cancel()
    }
}
