import Foundation
import Testing
import WeirTestSupport

/// The file for UIKit is compiled on Linux, too, against stubs with the documented types and isolation.
@Suite(.ownThread) struct UIKitFileTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let root = here.deletingLastPathComponent().deletingLastPathComponent()

    @Test func itCompilesAgainstStubsOfUIKit() throws {
        let folder = try Folder()
        let stub = try copy("UIKit", into: folder)
        let app = try copy("App", into: folder)
        let made = try compile(
            ["-emit-module", "-module-name", "UIKit", "-o", "\(folder.path)/UIKit.swiftmodule", stub])
        #expect(made.code == 0, "\(made.text)")
        let sources = Folder.swiftFiles(in: Self.root.appending(path: "Sources/WeirRouting"))
        #expect(sources.contains { $0.hasSuffix("Apple/UIKitPresenter.swift") })
        let module =
            [
                "-typecheck", "-module-name", "WeirRouting", "-package-name", Self.packageName, "-I",
                try Self.modules(),
                "-I", folder.path, "-warnings-as-errors",
            ] + sources + [app]
        let right = try compile(module)
        #expect(right.code == 0 && right.text == "", "\(right.text)")
        let wrong = try compile(module + ["-D", "REFUSED"])
        #expect(wrong.code != 0)
        #expect(wrong.text.contains("main actor-isolated property 'topmost' can not be referenced"), "\(wrong.text)")
    }

    /// A stub without its page could be anything.
    @Test func everyStubNamesItsPage() throws {
        let file = Self.here.appending(path: "UIKitStub/UIKit.swift.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        var named = 0
        for (line, before) in zip(lines.dropFirst(), lines) {
            let declares = line.contains(/^ *(@\w+ )*(open|public) (class|protocol|func|var|init)/)
            let isPlain = before.contains("// https://developer.apple.com/documentation/uikit/")
            if declares { #expect(isPlain || line.contains("required init") || before.contains("//"), "\(line)") }
            if declares, isPlain { named += 1 }
        }
        print("stubs of UIKit: \(named) declarations name their pages")
        #expect(named > 20)
    }

    /// As the build system derives it from the folder's name, for `package` declarations of the core.
    private static var packageName: String {
        String(root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private static func modules() throws -> String {
        let program = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "Modules").path(percentEncoded: false)
    }

    private func copy(_ name: String, into folder: Folder) throws -> String {
        let text = try Data(contentsOf: Self.here.appending(path: "UIKitStub/\(name).swift.txt"))
        return try folder.file("\(name).swift", text).path(percentEncoded: false)
    }

    private func compile(_ arguments: [String]) throws -> (code: Int32, text: String) {
        let folder = try Folder()
        let log = try folder.file("log", [])
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc", "-swift-version", "6", "-parse-as-library"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        process.waitUntilExit()
        let text = try FileHandle(forReadingFrom: log).readToEnd()
        return (process.terminationStatus, String(decoding: text ?? Data(), as: UTF8.self))
    }
}

extension Folder {
    fileprivate static func swiftFiles(in folder: URL) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
        return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted()
            .map { folder.appending(path: $0).path(percentEncoded: false) }
    }
}
