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
}
