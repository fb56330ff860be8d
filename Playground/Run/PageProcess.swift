// Runs a page in a process of its own, so that one that traps or never ends is a failure and not the end of all.

import Foundation
import WeirPages

/// A page that is about to run.
struct PageProcess {
    /// The hidden command by which this program runs one page.
    static let word = "--page"
    /// How much of what a page prints is read.
    private static let outputLimit = 1_000_000

    let page: Page
    let executable: URL
    let arguments: [String]
    /// How long the page may take.
    let limit: Duration

    init(page: Page) {
        let program = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        self.init(page: page, executable: program, arguments: [Self.word, page.path], limit: .seconds(20))
    }

    init(page: Page, executable: URL, arguments: [String], limit: Duration) {
        self.page = page
        self.executable = executable
        self.arguments = arguments
        self.limit = limit
    }

    /// Runs the page to its end, or until its time is over.
    func run() -> Outcome {
        let start = ContinuousClock.now
        let problems: [String]
        do {
            let ending = try end()
            problems = findings(page: page, printed: Printed(ending.output), ending: ending)
        } catch {
            problems = ["\(page.path): could not run: \(error)"]
        }
        return Outcome(time: ContinuousClock.now - start, problems: problems)
    }

    private func end() throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: "weir-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        let errors = folder.appending(path: "errors")
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let isInTime = ended.wait(timeout: .now() + limit.seconds) == .success
        if !isInTime {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
        }
        return Ending(
            how: !isInTime
                ? .timeout(limit)
                : process.terminationReason == .exit
                    ? .exit(process.terminationStatus) : .signal(process.terminationStatus),
            output: try text(of: output), errors: try text(of: errors))
    }

    private func text(of file: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return String(decoding: try handle.read(upToCount: Self.outputLimit) ?? Data(), as: UTF8.self)
    }
}

/// How a page's process ended, and what it said.
struct Ending {
    enum How: Equatable {
        case exit(Int32)
        case signal(Int32)
        case timeout(Duration)
    }

    let how: How
    let output: String
    let errors: String
}

extension Duration {
    /// This duration in seconds.
    var seconds: Double { self / .seconds(1) }
}
