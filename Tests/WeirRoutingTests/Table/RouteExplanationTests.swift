import Testing
import WeirRouting

@Suite struct RouteExplanationTests {
    @Test(arguments: [
        ("photos://photo/x", "nearly: photos://photo/:id(int): :id(int) did not take \"x\""),
        ("web://photo/7", "nearly: photos://photo/:id(int): its scheme is photos, not web"),
        ("photos://photo", "nearly: photos://photo/:id(int): nothing is left for :id(int)"),
        ("photos://photo/7/8", "nearly: photos://photo/:id(int): nothing takes \"8\""),
        ("photos://album/7", "nearly: photos://photo/:id(int): \"photo\" is not \"album\""),
        ("photos:///photo/7", "nearly: photos://photo/:id(int): it needs a host"),
        ("/settings/", "/settings/ -> /settings"),
        ("app://settings", "app://settings -> /settings\n    also takes it: /*"),
        ("/%", "not a URL: \"/%\", at byte 1: \"%\" is no escape; write a literal % as %25"),
        ("/a/b/c", "/a/b/c -> no route"),
    ])
    func saysWhy(url: String, words: String) throws {
        let table = try table(["photos://photo/:id(int)", "/settings", "/*"])
        #expect(table.explain(url).description.contains(words), "\(table.explain(url))")
    }

    @Test func isDataToo() throws {
        let explanation = try table(["/a/:n(int)", "/a/*"]).explain("/a/b")
        #expect(explanation.match?.text == "/a/*")
        #expect(explanation.nearMisses.map(\.reason) == [.constraint(":n(int)", got: "b")])
        #expect(explanation.error == nil)
    }

    /// `<` on strings does not order these three.
    @Test func equivalentSpellingsAreOnePatternInTheOrderToo() throws {
        let table = try table(["/\u{E9}", "/\u{E9}&a", "/\u{E9}a", "/e\u{301}"])
        #expect(
            table.patterns.map { Array($0.text.unicodeScalars) }.firstIndex(of: Array("/e\u{301}".unicodeScalars)) == 0)
        #expect(table.explain("/%C3%A9").matches.map { $0.text.unicodeScalars.count } == [3, 2])
        #expect(try table.match("/%C3%A9")?.index == 3)
    }
}
