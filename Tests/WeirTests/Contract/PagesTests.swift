import Foundation
import Testing

/// The pages that name operators name those that exist, and all of them.
@Suite struct PagesTests {
    static let root = ContractTests.root

    static func page(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "Docs/\(name).md"), encoding: .utf8)
    }

    /// Paths below a folder of the project, without the ending.
    static func files(_ folder: String, _ ending: String) -> [String] {
        let start = root.appending(path: folder).resolvingSymlinksInPath().path + "/"
        let all = FileManager.default.enumerator(atPath: start)?.allObjects as? [String] ?? []
        return all.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    }

    /// What the core declares for others to use, on one line for each declaration.
    static func declarations() throws -> [String] {
        let modules = ["Weir/", "WeirDispatch/", "WeirTesting/"]
        let files = files("Sources", ".swift").filter { file in
            file != "Weir/Core/Advice" && modules.contains { file.hasPrefix($0) }
        }
        return try files.flatMap { file in
            let text = try String(contentsOf: root.appending(path: "Sources/\(file).swift"), encoding: .utf8)
            return text.matches(of: /public [^\{\}]*?(func|var|struct|class|enum|protocol|init)\b[^\{\}]*\{/)
                .map { String($0.output.0).replacing(/\s+/, with: " ") }
        }
    }

    /// The cells of a page's tables, heading rows left out.
    static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    /// The code in a cell.
    static func code(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.output.1) } }

    /// Whether something public has that name, and that first label where one is written, as in `drop(while:)`.
    static func exists(_ name: String, in declarations: [String]) -> Bool {
        let base = name.prefix { $0 != "(" && $0 != " " }
        let label = name.firstMatch(of: /\((\w+):/).map { String($0.output.1) }
        return declarations.contains { line in
            let isType = ["struct", "class", "enum", "protocol"].contains { line.contains("\($0) \(base)") }
            let property = line.contains("var \(base):")
            guard let place = line.firstRange(of: "func \(base)") ?? line.firstRange(of: "func `\(base)`") else {
                return property || isType && line.wholeWord(base)
            }
            let rest = line[place.upperBound...].drop { $0 != "(" }
            guard line.wholeWord(base) else { return false }
            guard let label, label != "_" else { return label == nil || rest.hasPrefix("( _") || rest.hasPrefix("(_") }
            return rest.prefix { $0 != ")" }.contains("\(label):") || rest.contains(" \(label) ")
        }
    }

    @Test func whichOperatorNamesEachOperatorOnceAndNoOther() throws {
        let named = try Self.page("WhichOperator").matches(of: /Operators\/(\w+\/\w+)\.md/).map { String($0.output.1) }
        #expect(named.sorted() == Self.files("Docs/Operators", ".md").sorted())
        let registered = OperatorRegistry.entries.map(\.file).filter { !$0.hasPrefix("Subjects/") }
        #expect(Set(registered).subtracting(named) == [])
    }

    @Test func whereCodeRunsSaysItOfEachOperator() throws {
        let named = try Self.page("WhereCodeRuns").matches(of: /Operators\/(\w+\/\w+)\.md/).map { String($0.output.1) }
        #expect(Set(named) == Set(Self.files("Docs/Operators", ".md")))
    }

    @Test func switchingNamesWhatExistsAsTheOperatorsPagesDo() throws {
        let declarations = try Self.declarations()
        let rows = Self.rows(of: try Self.page("Switching")).filter { $0.count == 5 && $0[4] != "Weir" }
        #expect(rows.count > 50)
        for row in rows {
            let names = Self.code(row[4])
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(Self.exists(name, in: declarations), "there is no \(name)") }
            guard let file = row[4].firstMatch(of: /\((Operators\/.*?\.md)\)/)?.output.1 else { continue }
            let page = try String(contentsOf: Self.root.appending(path: "Docs/\(file)"), encoding: .utf8)
            let there = Self.rows(of: page).last ?? []
            #expect(there.map { $0 == "—" ? "–" : $0 } == Array(row.prefix(4)), "\(file) says \(there)")
        }
    }

    @Test func missingNamesNothingThatExists() throws {
        let declarations = try Self.declarations()
        let names = Self.rows(of: try Self.page("Missing")).filter { $0[0] != "missing" }.flatMap { Self.code($0[0]) }
        #expect(names.count > 25)
        for name in names { #expect(!Self.exists(name, in: declarations), "\(name) exists") }
    }

    @Test(arguments: [
        ("map", true), ("prefix(while:)", true), ("catch", true), ("Observed", true), ("values", true),
        ("switchToLatest()", false), ("subscribe(on:)", false), ("share(replay:)", true), ("ma", false),
    ]) func whatExistsIsFound(name: String, isThere: Bool) throws {
        #expect(Self.exists(name, in: try Self.declarations()) == isThere)
    }
}

extension String {
    fileprivate func wholeWord(_ word: some StringProtocol) -> Bool {
        split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
    }
}
