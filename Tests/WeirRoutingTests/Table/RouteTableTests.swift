import Testing
import WeirRouting
import WeirTestSupport

@Suite(.ownThread) struct RouteTableTests {
    @Test(arguments: [
        // pattern, URL that it takes
        ("app://user/:id", "app://user/7"), ("APP://user/:id", "app://USER/7"), ("/user/:id", "app://user/7"),
        ("/user/:id", "/user/7"), ("user/:id", "user/7"), ("//user/:id", "http://user/7"), ("//user/:id", "//user/7"),
        ("app://**", "app://"), ("app://**", "app:///x/y"), ("app://**", "app://h/x/y"), ("app:///x", "app:///x"),
        ("app://", "app://"), ("/**", "app://a/b/c"), ("/**", ""), ("/", ""), ("/a/:b?", "/a"), ("/a/:b?", "/a/b"),
        ("app://:h?", "app://"), ("app://:h?", "app://h"), ("/a/b", "/a/b/"), ("/a/b/", "/a/b"), ("/a/*/c", "/a/b/c"),
        ("/:n(int)", "/-5"), ("/:n(int)", "/+9223372036854775807"), ("/:n(int)", "/%34%32"), ("/a", "/a?b=c#d"),
        ("/:u(uuid)", "/6F9619FF-8B86-D011-B42D-00CF4FC964FF"), ("/Zürich", "/Z%C3%BCRICH"), ("/%3Aid", "/:id"),
        ("/caf\u{E9}", "/cafe\u{301}"), ("/caf\u{E9}", "/cafe%CC%81"), ("/user", "/%75ser"), ("/k", "/\u{212A}"),
    ])
    func takes(pattern: String, url: String) throws { #expect(try table([pattern]).winner(url) == pattern) }

    @Test(arguments: [
        ("app://user/:id", "web://user/7"), ("app://user/:id", "/user/7"), ("//user/:id", "/user/7"),
        ("app://x", "app:///x"), ("app:///x", "app://x"), ("app://*", "app://"), ("/a/:b?", "/a/b/c"), ("/", "/a"),
        ("/a", "/ab"), ("/ab", "/a"), ("/a.b", "/aZb"), ("/a/*", "/a"), ("/:n(int)", "/9223372036854775808"),
        ("/:n(int)", "/-"), ("/:n(int)", "/1.0"), ("/:u(uuid)", "/6F9619FF-8B86-D011-B42D-00CF4FC964F"),
        ("/stra\u{DF}e", "/STRASSE"), ("/a/b", "/a%2Fb"),
    ])
    func doesNotTake(pattern: String, url: String) throws { #expect(try table([pattern]).winner(url) == nil) }

    @Test func theStrongerPatternWinsInEveryOrder() throws {
        let ranked = [
            "app://a/b/c", "/a/b/c", "/a/b/:x(int)", "app://a/b/:x", "//a/b/:x", "/a/b/:x", "/a/b/*", "/a/b/**",
            "/a/**",
            "app://**", "/**",
        ]
        let urls = ["app://a/b/c", "app://a/b/7", "web://a/b/7", "app://a/b", "app://a", "/z", "//a/b/x", "/a/b/x"]
        let expected = [
            "app://a/b/c", "/a/b/:x(int)", "/a/b/:x(int)", "/a/b/**", "/a/**", "/**", "//a/b/:x", "/a/b/:x",
        ]
        var random = Seeded(1)
        for _ in 1...200 {
            let table = try table(ranked.shuffled(using: &random))
            for (url, winner) in zip(urls, expected) { #expect(try table.winner(url) == winner) }
            #expect(table.patterns.map(\.text) == ranked)
        }
    }

    @Test func ofEqualPatternsTheLastWins() throws {
        let table = try table(["/user/:id", "/USER/:name", "/user/:key"])
        #expect(try table.match("/user/7")?.index == 2)
        #expect(try table.match("/user/7")?.parameters.description == #"[key: "7"]"#)
    }

    @Test func casesDifferWhereTheyAreAskedTo() throws {
        let table = try table(["/User/x", "/user/x"], .exactPathCase)
        #expect(try table.winner("/User/x") == "/User/x")
        #expect(try table.winner("/user/x") == "/user/x")
        #expect(try table.winner("/user/X") == nil)
        // As a host the first segment ignores case, so that both are equal and the last wins.
        #expect(try table.winner("app://USER/x") == "/user/x")
    }

    @Test func aSlashAtTheEndCountsWhereItIsAskedTo() throws {
        let table = try table(["/a/", "/a", "/b/:x?", "/c/**"], .significantTrailingSlash)
        #expect(try table.winner("/a/") == "/a/")
        #expect(try table.winner("/a") == "/a")
        #expect(try table.winner("/b/") == nil)
        #expect(try table.winner("/c/d/") == "/c/**")
    }

    @Test(arguments: [
        ("/a//b", 3, "a segment is empty"), ("a://b//", 6, "a segment is empty"), ("/%", 1, "\"%\" is no escape"),
        ("/%G1", 1, "\"%G1\" is no escape"), ("/x/%E8", 3, "\"%E8\" starts no"), ("/?a=%FF", 4, "\"%FF\" starts no"),
        ("/#%1", 2, "\"%1\" is no escape"), ("://x", 0, "a scheme is missing"), ("1a://x", 0, "a scheme is a letter"),
        ("/\u{E9}%C3", 3, "\"%C3\" starts no"),
    ])
    func aBadURLIsAnError(url: String, offset: Int, reason: String) throws {
        let table = try table(["/**"])
        let error = #expect(throws: RouteURLError.self) { try table.match(url) }
        #expect(error?.offset == offset)
        #expect(error?.reason.hasPrefix(reason) == true)
        #expect(error?.description.contains(url) == true)
    }

    @Test func aLongURLIsRead() throws {
        let long = String(repeating: "/segment", count: 100_000)
        #expect(try table(["/segment/**rest"]).match(long)?.parameters["rest"]?.utf8.count == long.utf8.count - 9)
    }

    /// Every literal and parameter at every level: a search that forgot its failures would try them all anew.
    @Test func aHopelessURLIsGivenUp() throws {
        let patterns = (0..<4096).map { bits in
            (0..<12).map { bits >> $0 & 1 == 0 ? "/a" : "/:p\($0)" }.joined() + "/end"
        }
        let table = try table(patterns)
        #expect(try table.winner(String(repeating: "/a", count: 12) + "/end") == patterns[0])
        #expect(try table.winner(String(repeating: "/a", count: 12) + "/dead") == nil)
    }

    @Test func onlyThreeScalarsAreEquivalentToASCII() throws {
        let ascii = Set((UInt8.min..<128).map { String(UnicodeScalar($0)) })
        let found = (0x80...0x10FFFF).compactMap(UnicodeScalar.init).filter {
            ascii.contains(String($0)) || ascii.contains(String($0).lowercased())
        }
        #expect(found == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
        for (scalar, plain) in zip(found, [";", "`", "k"]) {
            #expect(try table(["/x\(scalar)"]).winner("/x\(plain)") != nil)
            #expect(try table(["/x\(plain)"]).winner("/x\(scalar)") != nil)
        }
    }
}
