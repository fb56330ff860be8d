import Testing

@testable import WeirExtract

@Suite struct SplitTests {
    @Test func linesKeepTheirNumbers() {
        let source = """
            import Weir
            let a = 1
            struct S {

                let x = 2
            }

            print(a)
            """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = split(source, from: 10)
        #expect(parts.imports.map(\.line) == [10])
        #expect(parts.declarations.map(\.line) == [12])
        #expect(parts.declarations.first?.lines == ["struct S {", "", "    let x = 2", "}"])
        #expect(parts.statements == ["", "let a = 1", "", "", "", "", "", "print(a)"])
    }

    @Test(arguments: [
        "struct S {}", "final class C: P {\n}", "@MainActor\nfinal class C {\n    let x = 1\n}", "extension Int: P {}",
        "@Observable final class C {}", "func g() {\n}", "private let x = 1", "fileprivate func f() {\n}",
        "infix operator <~>",
        "@available(macOS 15, *) enum E {\n    case a\n}", "typealias T = Int", "@Test func t() {\n}",
        "struct Long<\n    A,\n    B\n> where A: B\n{\n    let x = 1\n}",
        "enum Text {\n    static let long = \"\"\"\n        a\n    \"\"\"\n}", "protocol P<Element> {\n    func f()\n}",
    ])
    func movesOut(declaration: String) {
        let source = declaration.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = split(source + ["print(1)"], from: 1)
        #expect(parts.declarations.map(\.lines) == [source])
        #expect(parts.statements == Array(repeating: "", count: source.count) + ["print(1)"])
    }

    @Test(arguments: [
        "let x = 1", "var x = 1", "func f() {\n}", "@MainActor func f() {\n}", "structure()", "f(\n    1\n)",
        "    struct S {}",
        "@Observed var x = 1", "for x in y {\n    struct S {}\n}", "enumerate(x)",
        "let text = \"\"\"\nstruct S {}\n\"\"\"",
        "", "// struct S {}", "final", "class",
    ])
    func stays(statements: String) {
        let source = statements.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let parts = split(source, from: 1, staying: ["f"])
        #expect(parts.declarations.isEmpty)
        #expect(parts.statements == source)
    }

    @Test(arguments: [
        ("let x = 1\nfunc f() { print(x) }", ["f"]), ("func f() { print(x) }\nvar (x, y) = (1, 2)", ["f"]),
        ("let x = 1\nfunc f() { a.x() }", []), ("private let x = 1\nfunc f() { print(x) }", []),
        ("let x = 1\nfunc f() {\n    x\n}\nfunc g() { h() }\nfunc h() { f() }", ["f", "g", "h"]),
        ("func f(_ text: String) throws(E) -> Int { 1 }\nstruct S {\n    let text = 1\n}", []),
        ("@Observed var x = 1\nfunc f() { \"\\(x)\" }\nfunc g() { 1 }", ["f"]),
    ])
    func functionsThatUseThePagesValuesStay(source: String, names: [String]) {
        #expect(functionsThatStay(in: [source.split(separator: "\n").map(String.init)]).sorted() == names)
    }

    @Test(arguments: [
        ("struct S {}", true), ("private struct S {}", false), ("extension S: P {}", false), ("extension S {}", true),
        ("extension S where T: P {}", true), ("extension A.S {}", true), ("prefix operator ++", false),
        ("public extension S {}", false), ("@MainActor final class C: P {}", true),
    ])
    func isSeenFromItsPageAlone(declaration: String, takesPrivate: Bool) throws {
        #expect(try #require(Head([declaration][...])).takesPrivate == takesPrivate)
    }
}
