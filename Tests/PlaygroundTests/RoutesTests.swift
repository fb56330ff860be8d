import Foundation
import Testing
import WeirTestSupport

/// The `routes` command as a user runs it.
@Suite(.ownThread) struct RoutesTests {
    private let table = """
        # the album
        photos://photo/:id(int)   # by number
        photos://photo/latest

        GET /user/:name([a-z]+)
        /**rest
        """

    @Test func itExplainsURLs() throws {
        let ran = try run(table, ["photos://photo/x", "photos://photo/LATEST/", "/get/user/ada?tab=1"])
        #expect(ran.code == 0)
        #expect(
            ran.output == """
                photos://photo/x -> /**rest
                    nearly: photos://photo/latest: "latest" is not "x"
                    nearly: photos://photo/:id(int): :id(int) did not take "x"
                    parameters: [rest: "photo/x"]
                photos://photo/LATEST/ -> photos://photo/latest
                    also takes it: /**rest
                    nearly: photos://photo/:id(int): :id(int) did not take "LATEST"
                /get/user/ada?tab=1 -> /GET/user/:name([a-z]+)
                    also takes it: /**rest
                    parameters: [name: "ada", tab: "1"]

                """)
        #expect(ran.errors == "")
    }

    @Test func itListsTheRoutesInTheOrderOfTrying() throws {
        let ran = try run("/**\n/a/*\n/a/:b\n/a/b\n", [])
        #expect(ran.output == "/a/b\n/a/:b\n/a/*\n/**\n")
        #expect(ran.code == 0)
    }

    @Test func aFileFromAnotherSystemIsReadTheSame() throws {
        let ran = try run("\u{FEFF}/**\r\n# more\r\n\r\n/a/*\r\n", [])
        #expect(ran.output == "/a/*\n/**\n")
        #expect(ran.code == 0)
    }

    @Test func whatNoRouteTakesIsAFailure() throws {
        let ran = try run("/a", ["/a", "/b", "/%"])
        #expect(ran.code == 1)
        #expect(ran.output.contains("/b -> no route\n    nearly: /a: \"a\" is not \"b\"\nnot a URL: \"/%\", at byte 1"))
        #expect(try run("/Fine/", ["--exact-case", "/fine"]).code == 1)
        #expect(try run("/fine/", ["--slashes", "/fine"]).code == 1)
        #expect(try run("/Fine/", ["/fine"]).code == 0)
    }

    @Test func everyFaultOfAFileIsShownWithItsLine() throws {
        let ran = try run("/a/:id(float)\n/fine\n/b//c\n/:x((a)\n", ["/fine"])
        #expect(ran.code == 1 && ran.output == "")
        #expect(
            ran.errors == """
                table:1: not a route pattern: no such constraint; there are (int), (uuid) and expressions such as ([a-z]+)
                    /a/:id(float)
                           ^
                table:3: not a route pattern: a segment is empty
                    /b//c
                       ^
                table:4: not a route pattern: a ) is missing for this (
                    /:x((a)
                       ^

                """)
    }

    @Test(arguments: [
        (nil, ["/a"], Int32(1), "cannot be read"), ("", ["/a"], 1, "has no pattern"), ("# a\n\n", [], 1, "no pattern"),
        ("/a", ["--sideways"], 2, "routes has no flag --sideways"), ("\u{0}\u{FFFD}//", [], 1, "a segment is empty"),
    ])
    func whatCannotWorkIsSaid(text: String?, arguments: [String], code: Int32, words: String) throws {
        let ran = try run(text, arguments)
        #expect(ran.code == code && ran.output == "")
        #expect(ran.errors.contains(words), "\(ran.errors)")
    }

    @Test func withoutAFileItSaysHowToCallIt() throws {
        let folder = try Folder()
        let ran = try runPlayground(["routes"], in: folder)
        #expect(ran.code == 2 && ran.errors.contains("swift run Playground routes"))
        #expect(try runPlayground(["--help"], in: folder).output.contains("routes"))
    }

    private func run(_ table: String?, _ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
        let folder = try Folder()
        if let table { _ = try folder.file("table", table.utf8) }
        return try runPlayground(["routes", "table"] + arguments, in: folder)
    }
}
