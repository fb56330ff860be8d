import Testing
import WeirRouting

@Suite struct RoutePatternTests {
    @Test(arguments: [
        "app://user/:id", "/route/*", "//host/path", "user/:id(int)", "app://**", "/path/**rest", "/a/:b?", "app:///x",
        "/", "", "app://", "h:8080/x", "/:id(uuid)?", "/a.b/(c)/d:e", "/%3Aid/%2A/%3F", "/Zürich/:größe", "//h:1/:a-b",
    ])
    func isAccepted(text: String) throws {
        let pattern = try RoutePattern(text)
        #expect(pattern.text == text)
        #expect(pattern.description == text)
    }

    @Test func namesItsParametersInOrder() throws {
        #expect(try RoutePattern("/:b/x/:a(int)/*/**rest").parameterNames == ["b", "a", "rest"])
        #expect(try RoutePattern("/x/**").parameterNames == [])
    }

    @Test(arguments: [
        ("/a//b", 3, "a segment is empty"),
        ("/:", 2, "a parameter needs a name: letters, digits, _ or -"),
        ("/:id(float)", 5, "no such constraint; there are (int), (uuid) and expressions such as ([a-z]+)"),
        ("/:id(int", 4, "a ) is missing for this ("),
        ("/:id.json", 4, "a parameter takes a whole segment"),
        ("/a*", 2, "a * stands alone in its segment; write %2A for a literal one"),
        ("/*a", 2, "a * stands alone in its segment; write %2A for a literal one"),
        ("/**/b", 4, "nothing may follow a **"),
        ("/:a?/b", 5, "only the last segment may be optional"),
        ("/:a/b/:a", 7, "the name a is used twice"),
        ("/a?b=c", 2, "a pattern has no query; write %3F for a literal ?"),
        ("/a#b", 2, "a pattern has no fragment; write %23 for a literal #"),
        ("/a%2", 2, "\"%2\" is no escape; write a literal % as %25"),
        ("/ü/%E8", 3, "\"%E8\" starts no UTF-8 character"),
        ("://x", 0, "a scheme is missing before ://; start with / for any scheme"),
        (":s://x", 0, "a scheme is a letter, then letters, digits, +, - or .; start with / for any scheme"),
        ("a b://x", 1, "a scheme is a letter, then letters, digits, +, - or .; start with / for any scheme"),
        ("//", 2, "a host is missing after //"),
        ("///x", 2, "a host is missing after //"),
    ])
    func isRefused(text: String, offset: Int, reason: String) {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(text) }
        #expect(error?.offset == offset)
        #expect(error?.reason == reason)
        #expect(error?.pattern == text)
    }

    @Test func anErrorPointsAtTheFault() {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern("app://user/:id(float)") }
        #expect(
            error?.description == """
                not a route pattern: no such constraint; there are (int), (uuid) and expressions such as ([a-z]+)
                    app://user/:id(float)
                                   ^
                """)
    }

    @Test func hasAtMost255Segments() throws {
        let longest = String(repeating: "/a", count: RoutePattern.maximumSegments)
        #expect(try RouteTable([RoutePattern(longest)]).match(longest)?.index == 0)
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(longest + "/a") }
        #expect(error?.reason == "a pattern has at most 255 segments")
    }
}
