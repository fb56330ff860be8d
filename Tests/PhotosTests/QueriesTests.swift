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

@Suite struct OptionsTests {
    @Test(arguments: [
        ([String](), "say --headless or --receive PORT"),
        (["--receive"], "--receive needs a value"),
        (["--receive", "70000"], "--receive takes a port from 0 to 65535, not \"70000\""),
        (["--headless", "--what"], "there is no option \"--what\""),
        (["--receive", "1", "--count", "0"], "--count takes a number from 1 on, not \"0\""),
    ])
    func aWrongCallSaysWhatIsWrong(arguments: [String], message: String) {
        #expect {
            try Options(arguments, environment: [:])
        } throws: {
            "\($0)" == "Photos: \(message); Photos --help shows all options" && ($0 as? Complaint)?.exitCode == 2
        }
    }

    @Test func theEnvironmentNamesTheServiceAndAFlagWins() throws {
        let environment = ["PHOTOS_HOST": "https://a.example", "PHOTOS_API_KEY": "k"]
        let options = try Options(["--headless", "--host", "https://b.example"], environment: environment)
        #expect(options.host == "https://b.example" && options.apiKey == "k" && options.mode == .headless)
    }

    @Test func theKeyGoesToTheServiceAlone() throws {
        let service = try PhotoService(base: "https://a.example", apiKey: "k")
        let own = service.request(for: service.searchURL("red hills"))
        #expect(own.url?.absoluteString == "https://a.example/search/photos?query=red%20hills&per_page=20")
        #expect(own.value(forHTTPHeaderField: "Authorization") == "Client-ID k")
        let elsewhere = try #require(URL(string: "https://images.example/x.jpg"))
        #expect(service.request(for: elsewhere).value(forHTTPHeaderField: "Authorization") == nil)
        #expect { try PhotoService(base: "nonsense", apiKey: nil) } throws: { "\($0)".contains("\"nonsense\"") }
    }
}
