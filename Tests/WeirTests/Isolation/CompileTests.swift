import Foundation
import Testing
import WeirTestSupport

/// What must not compile does not, and says why in words that help; its twin, which differs by little, does.
///
/// Each file of Fixtures is compiled twice as its first lines say: with REFUSED it has to fail with the text behind
/// `// expect:`, without it has to pass. So a broken setup cannot look like a refusal.
@Suite(.ownThread) struct CompileTests {
    struct Fixture: Sendable {
        let name: String
        let source: URL
        let expected: String
    }

    static func fixtures() throws -> [Fixture] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.lastPathComponent.hasSuffix(".swift.txt") }.map { file in
            let name = String(file.lastPathComponent.dropLast(10))
            let text = try String(contentsOf: file, encoding: .utf8)
            let mark = "// expect: "
            let expected = text.split(separator: "\n").first { $0.hasPrefix(mark) }?.dropFirst(mark.count)
            return Fixture(name: name, source: file, expected: try #require(expected.map { String($0) }, "\(name)"))
        }.sorted { $0.name < $1.name }
    }

    @Test func whatMustNotCompileDoesNotAndSaysWhy() throws {
        let fixtures = try Self.fixtures()
        #expect(fixtures.count >= 18)
        let compiler = try Compiler()
        var refusals = "refused by the compiler:"
        for fixture in fixtures {
            // Two at a time.
            let right = compiler.start(fixture.source, as: fixture.name)
            let wrong = compiler.start(fixture.source, as: fixture.name + "Refused", ["-D", "REFUSED"])
            let (accepted, refused) = (right.outcome, wrong.outcome)
            #expect(accepted.code == 0 && accepted.text == "", "\(fixture.name) should compile:\n\(accepted.text)")
            let errors = refused.text.split(separator: "\n").filter {
                $0.contains(".swift:") && $0.contains(" error: ")
            }
            #expect(
                refused.code != 0 && errors.contains { $0.contains(fixture.expected) },
                "\(fixture.name) should be refused with \"\(fixture.expected)\":\n\(refused.text)")
            refusals += "\n  \(fixture.name): " + (errors.first?.components(separatedBy: " error: ").last ?? "no error")
        }
        print(refusals)
    }

    @Test func namesOfDailyUseClashWithNothingOfCombineAndObservation() throws {
        let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs")
        let compiler = try Compiler()
        let names = compiler.module(programs.appending(path: "CombineNames.swift.txt"), as: "CombineNames").outcome
        try #require(names.code == 0, "\(names.text)")
        let beside = programs.appending(path: "BesideCombine.swift.txt")
        let outcome = compiler.start(beside, as: "BesideCombine", ["-I", compiler.folder.path]).outcome
        #expect(outcome.code == 0 && outcome.text == "", "\(outcome.text)")
    }

    /// The best of three compilations counts: a machine that has much else to do slows each by another amount.
    @Test func aChainOfTenOperatorsIsCheckedByTheCompiler() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Programs/TenOperators.swift.txt")
        let flags = [
            "-Xfrontend", "-warn-long-expression-type-checking=1", "-Xfrontend", "-warn-long-function-bodies=1",
        ]
        let compiler = try Compiler()
        var best: [String: Int] = [:]
        for attempt in 1...3 {
            let outcome = compiler.start(source, as: "TenOperators\(attempt)", flags, warningsAreErrors: false).outcome
            #expect(outcome.code == 0, "\(outcome.text)")
            for match in outcome.text.matches(of: /function '(\w+)[^']*' took (\d+)ms/) {
                let time = try #require(Int(match.output.2))
                best[String(match.output.1)] = min(time, best[String(match.output.1)] ?? .max)
            }
        }
        let times = best.map { "\($0.key) \($0.value) ms" }.sorted().joined(separator: ", ")
        print("type checking of ten chained operators, best of three: " + times)
        #expect(best.count >= 2 && best.values.allSatisfy { $0 < 1_000 }, "\(times)")
    }
}

/// The compiler that built these tests, with the modules it made.
private struct Compiler {
    let modules: String
    let folder: Folder

    init() throws {
        let executable = try #require(Bundle.main.executableURL)
        let modules = executable.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "Modules")
        self.modules = modules.path(percentEncoded: false)
        let isThere = FileManager.default.fileExists(atPath: self.modules + "/Weir.swiftmodule")
        try #require(isThere, "no module Weir in \(self.modules)")
        folder = try Folder()
    }

    /// Checks a program, without output of its own.
    func start(
        _ source: URL, as name: String, _ flags: [String] = [], warningsAreErrors: Bool = true
    ) -> Compilation {
        let warnings = warningsAreErrors ? ["-warnings-as-errors"] : []
        return run(source, as: name, ["-emit-sil", "-I", modules, "-o", "/dev/null"] + warnings + flags)
    }

    /// Makes a module in the folder.
    func module(_ source: URL, as name: String) -> Compilation {
        run(source, as: name, ["-emit-module", "-o", "\(folder.path)/\(name).swiftmodule"])
    }

    private func run(_ source: URL, as name: String, _ flags: [String]) -> Compilation {
        let file = "\(folder.path)/\(name).swift"
        let output = "\(folder.path)/\(name).log"
        do {
            try FileManager.default.copyItem(atPath: source.path(percentEncoded: false), toPath: file)
            try Data().write(to: URL(filePath: output))
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["swiftc", "-swift-version", "6", "-parse-as-library", "-module-name", name] + flags + [file]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: URL(filePath: output))
            try process.run()
            return Compilation(folder: folder, process: process, output: output, problem: nil)
        } catch {
            return Compilation(
                folder: folder, process: nil, output: output, problem: "could not run the compiler: \(error)")
        }
    }
}

private struct Compilation {
    /// Deleted with the last that holds it.
    let folder: Folder
    let process: Process?
    let output: String
    let problem: String?

    /// Waits for it.
    var outcome: (code: Int32, text: String) {
        guard let process else { return (-1, problem ?? "") }
        process.waitUntilExit()
        // Not by `Data(contentsOf:)`, which never frees what it read of an empty file.
        let text = try? FileHandle(forReadingAtPath: output)?.readToEnd()
        return (process.terminationStatus, String(decoding: text ?? Data(), as: UTF8.self))
    }
}
