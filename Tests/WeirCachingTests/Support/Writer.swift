import Foundation
import Testing
import WeirTestSupport

/// A process of its own that writes into a folder; see its program.
final class Writer {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var text = ""

    /// - Parameter folder: the home of its defaults.
    init(defaults words: String..., in folder: String) throws {
        try start(
            ["defaults"] + words, ["HOME": folder, "CFFIXED_USER_HOME": folder, "XDG_CONFIG_HOME": folder + "/config"])
    }

    /// - Parameters:
    ///   - keys: how many different ones, from `first` on.
    ///   - count: of writes.
    init(
        _ folder: String, limit: Int, seed: Int, keys: Int, first: Int = 0, count: Int = .max, isDurable: Bool = false
    ) throws {
        try start([folder] + [limit, seed, keys, first, count].map(String.init) + [isDurable ? "durable" : "fast"])
    }

    private func start(_ arguments: [String], _ environment: [String: String] = [:]) throws {
        // Built beside the tests.
        let tests = try #require(Bundle.main.executableURL)
        process.executableURL = tests.deletingLastPathComponent().appending(path: "WeirCacheWriter")
        process.arguments = arguments
        let always = ["ASAN_OPTIONS": "detect_leaks=0"].merging(environment) { $1 }
        process.environment = ProcessInfo.processInfo.environment.merging(always) { $1 }
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    /// All that it says until it ends.
    func allSaid() -> String {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        end()
        return text + String(decoding: data, as: UTF8.self)
    }

    var id: Int32 { process.processIdentifier }

    /// Waits until it has said this; false where it ended before.
    func says(_ word: Character) -> Bool {
        while !text.contains(word) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return false }
            text += String(decoding: data, as: UTF8.self)
        }
        return true
    }

    /// Whether it has said this by now, or has ended.
    func hasSaid(_ word: Character) -> Bool {
        var file = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard !text.contains(word), poll(&file, 1, 0) > 0 else { return text.contains(word) }
        let data = output.fileHandleForReading.availableData
        text += String(decoding: data, as: UTF8.self)
        return data.isEmpty || text.contains(word)
    }

    /// Makes it stand still, and waits until it does, where the system can tell.
    func pause() {
        kill(id, SIGSTOP)
        guard access("/proc/self/stat", R_OK) == 0 else { return }
        spin(atMost: .seconds(2)) {
            (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") T") ?? true
        }
    }
    func resume() { kill(id, SIGCONT) }

    /// Ends it at once, as a crash would, and waits for it.
    func crash() {
        kill(id, SIGKILL)
        process.waitUntilExit()
    }

    /// Lets it end, and waits for it.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
