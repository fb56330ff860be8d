import Foundation
import Testing
import WeirTestSupport

/// Runs the built program in a folder, as a user runs it, and waits for its end.
func runPlayground(_ arguments: [String], in folder: Folder) throws -> (code: Int32, output: String, errors: String) {
    let tests = try #require(Bundle.main.executableURL)
    let process = Process()
    process.executableURL = tests.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "Playground")
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    // The program ends while what it made still lives, which a sanitizer would call leaks.
    process.environment = ProcessInfo.processInfo.environment.merging(["ASAN_OPTIONS": "detect_leaks=0"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let outside = try Folder()
    let files = try ["output", "errors"].map { try outside.file($0, []) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { file in
        String(decoding: try FileHandle(forReadingFrom: file).readToEnd() ?? Data(), as: UTF8.self)
    }
    return (process.terminationStatus, texts[0], texts[1])
}
