import Testing
import WeirPages

@testable import Playground

@Suite struct FindingsTests {
    private let page = Page(
        path: "Docs/A.md", outputs: [.init(line: 5, text: "a\nb"), .init(line: 10, text: "c")], run: {})

    private func mark(_ text: String) -> String { "\(Mark.open)\(text)\(Mark.close)" }

    private func findings(_ printed: String, how: Ending.How = .exit(0), errors: String = "") -> [String] {
        Playground.findings(
            page: page, printed: Printed(printed), ending: Ending(how: how, output: printed, errors: errors))
    }

    @Test func partsAtTheMarks() {
        let printed = Printed("\(mark("block 4"))a\nb\(mark("output"))c\(mark("block 8"))d\(mark("output"))e")
        #expect(printed.outputs == ["a\nb", "cd"])
        #expect(printed.rest == "e")
        #expect(printed.block == 8)
    }

    @Test(arguments: ["a\nb\n", "\na  \nb", "a\nb\n\n"])
    func equalTextPasses(first: String) {
        #expect(findings("\(first)\(mark("output"))c\n\(mark("output"))\n").isEmpty)
    }

    @Test(arguments: [
        ("a\nx\n", "Docs/A.md:6:", "    a\n  - b\n  + x"), ("b\n", "Docs/A.md:5:", "  - a\n    b"),
        ("a\nb\nc\n", "Docs/A.md:6:", "    a\n    b\n  + c"), ("", "Docs/A.md:5:", "  - a\n  - b"),
    ])
    func aDifferenceNamesItsLine(first: String, place: String, difference: String) {
        let found = findings("\(first)\(mark("output"))c\n\(mark("output"))")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(place) == true)
        #expect(found.first?.hasSuffix(difference) == true)
    }

    @Test func whatNoReaderSeesIsAFailure() {
        #expect(findings("a\nb\(mark("output"))c\(mark("output"))d").map { $0.hasSuffix("  + d") } == [true])
    }

    @Test(arguments: [
        (Ending.How.exit(1), "Docs/A.md:4: ended early with code 1\n  threw X"),
        (.signal(4), "Docs/A.md:4: stopped by signal 4\n  threw X"),
        (.timeout(.seconds(20)), "Docs/A.md:4: not at its end after 20.0 seconds, so it was stopped\n  threw X"),
    ])
    func anEarlyEndNamesItsBlock(how: Ending.How, text: String) {
        #expect(findings("\(mark("block 4"))a\nb\(mark("output"))more", how: how, errors: "threw X\n") == [text])
    }
}
