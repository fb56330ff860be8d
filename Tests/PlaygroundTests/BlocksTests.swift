import Testing

@testable import WeirExtract

@Suite struct BlocksTests {
    @Test func findsWhatIsCompiledAndWhatIsPrinted() throws {
        let page = """
            # Title
            ```swift
            a
            ```
            ```text
            ```swift
            ```
              ````swift no-run
              b
                ```
              ````
            ```output
            c

            ```
            """
        #expect(
            try blocks(of: page, path: "x.md") == [
                Block(kind: .run, line: 3, lines: ["a"]),
                Block(kind: .noRun, line: 9, lines: ["b", "  ```"]),
                Block(kind: .output, line: 13, lines: ["c", ""]),
            ])
    }

    @Test(arguments: [
        ("```swift norun\n```", 1, "no block is called \"swift norun\""),
        ("```swift\n```\n```output x\n```", 3, "no block is called \"output x\""),
        ("text\n```swift\na", 2, "never closed"),
        ("```output\na\n```", 2, "before any code"),
        ("```swift no-run\na\n```\n```output\na\n```", 5, "before any code"),
    ])
    func refusesASlip(page: String, line: Int, reason: String) {
        let error = #expect(throws: PageError.self) { try blocks(of: page, path: "x.md") }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("x.md:\(line): error: ") == true)
        #expect(error?.reason.contains(reason) == true)
    }
}
