import Testing

@testable import WeirExtract

@Suite struct GenerateTests {
    private func source(_ text: String) throws -> Source {
        Source(path: "Docs/A b.md", file: "/x/Docs/A b.md", blocks: try blocks(of: text, path: "x"))
    }

    @Test func aPageIsAFunction() throws {
        let page = try source("```swift\nimport Weir\n@MainActor final class C {}\nprint(1)\n```\n```output\n1\n```")
        #expect(
            swift(of: page) == """
                // Made from Docs/A b.md by Playground/Extract.
                #sourceLocation(file: "/x/Docs/A b.md", line: 2)
                import Weir
                #sourceLocation()
                #sourceLocation(file: "/x/Docs/A b.md", line: 3)
                @MainActor private final class C {}
                #sourceLocation()
                @MainActor func page_Docs_A_b() async throws {
                pageBlock(2)
                #sourceLocation(file: "/x/Docs/A b.md", line: 2)


                print(1)
                #sourceLocation()
                pageOutput()
                }

                """)
    }

    @Test func whatOnlyCompilesHasItsOwnScope() throws {
        let page = try source("```swift no-run\nstruct S {}\nextension S: P {}\nextension Int {}\nf()\n```")
        #expect(!page.runs)
        #expect(
            swift(of: page) == """
                // Made from Docs/A b.md by Playground/Extract.
                #sourceLocation(file: "/x/Docs/A b.md", line: 3)
                extension Docs_A_b_line2.S: P {}
                #sourceLocation()
                #sourceLocation(file: "/x/Docs/A b.md", line: 4)
                private extension Int {}
                #sourceLocation()
                private struct Docs_A_b_line2 {
                #sourceLocation(file: "/x/Docs/A b.md", line: 2)
                struct S {}
                #sourceLocation()
                @MainActor func statements() async throws {
                #sourceLocation(file: "/x/Docs/A b.md", line: 2)



                f()
                #sourceLocation()
                }
                }

                """)
    }

    @Test func theIndexNamesPagesThatRun() throws {
        let text = index(of: [try source("```swift no-run\n```"), try source("```swift\n```\n```output\n\"é\\\n```")])
        #expect(text.contains(#"Output(line: 4, text: "\"é\\")"#))
        #expect(text.components(of: "Page(path:") == 1)
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
