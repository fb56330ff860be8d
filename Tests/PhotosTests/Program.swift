import Foundation
import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// The built program, run as a user runs it, and ended after a minute whatever it does.
final class Program: Sendable {
    /// What a run left behind; `code` is 137 where it was ended from outside.
    struct Result: Sendable {
        let code: Int32
        let output: String
        let errors: String
    }
    private let text = BehaviorSubject<String, Never>("")
    private let errors = BehaviorSubject<String, Never>("")
    private let code = BehaviorSubject<Int32?, Never>(nil)
    private let id: Int32

    convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
        try self.init(arguments, environment: environment)
    }

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        // Built beside the tests.
        let tests = try #require(Bundle.main.executableURL)
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "Photos")
        process.arguments = arguments
        // The program ends while its tasks still live, which a sanitizer would call leaks.
        let always = ["ASAN_OPTIONS": "detect_leaks=0"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(always) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = Self.pipe(into: text)
        process.standardError = Self.pipe(into: errors)
        process.terminationHandler = { [code] ended in
            code.send(ended.terminationReason == .exit ? ended.terminationStatus : 128 + ended.terminationStatus)
        }
        try process.run()
        id = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak code, id] in
            if let code, code.value == nil { kill(id, SIGKILL) }
        }
    }

    /// Runs queries without a terminal, with a cache of their own, and waits for the end.
    static func headless(_ queries: String, _ arguments: String...) async throws -> Result {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.file("queries.txt", queries.utf8).path
        let cache = folder.url.appending(path: "cache").path
        return await (try Program(["--headless", "--queries", file, "--cache", cache] + arguments)).result()
    }

    /// Reads on a thread of its own: a readability handler watches a descriptor that other children may inherit, which
    /// breaks the event loop of the whole process once it is closed.
    private static func pipe(into text: BehaviorSubject<String, Never>) -> Pipe {
        let pipe = Pipe()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            while case let data = handle.availableData, !data.isEmpty {
                text.send(text.value + String(decoding: data, as: UTF8.self))
            }
            text.send(completion: .finished)
        }
        return pipe
    }

    /// Waits until standard output has a match; nil where the program ends without one.
    func output<Match>(_ pattern: Regex<Match>) async -> Match? {
        for await text in text.values {
            if let match = text.firstMatch(of: pattern) { return match.output }
        }
        return nil
    }
    /// Ends it at once, as a crash would.
    func end() {
        if code.value == nil { kill(id, SIGKILL) }
    }
    /// Waits for the end.
    func result() async -> Result {
        for await code in code.values where code != nil { break }
        for await _ in text.values {}
        for await _ in errors.values {}
        return Result(code: code.value ?? -1, output: text.value, errors: errors.value)
    }
}
