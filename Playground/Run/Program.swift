// The playground's commands.
//
//     swift run Playground                 runs every page of the documentation
//     swift run Playground Debounce        runs the pages whose path contains the name
//     swift run Playground --list          names the pages
//     swift run Playground routes FILE URL explains where a URL goes, by a table of routes
//     swift run Playground cache replay TRACE, cache check FOLDER

import Foundation
import WeirPages

@main enum Program {
    /// A word that may stand first, and what it does. What is no command is a name of pages.
    struct Command: Sendable {
        let word: String
        let summary: String
        /// Takes the arguments behind the word; answers the exit code.
        let run: @MainActor @Sendable ([String]) async -> Int32
    }

    static let commands = [
        Command(word: "--list", summary: "names the pages", run: list),
        Command(word: "routes", summary: "FILE [URL…]: explains a table of routes, a pattern a line", run: routes),
        Command(
            word: "cache", summary: "replay TRACE, check FOLDER: what a cache would do, and what one did", run: cache),
        Command(word: "--help", summary: "says this", run: help),
        Command(word: PageProcess.word, summary: "", run: runOne),
    ]

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let command = commands.first(where: { $0.word == arguments.first }) else {
            exit(runAll(arguments))
        }
        exit(await command.run(Array(arguments.dropFirst())))
    }

    private static func list(_: [String]) -> Int32 {
        Page.all.forEach { print($0.name) }
        return 0
    }

    private static func help(_: [String]) -> Int32 {
        print("swift run Playground [NAME…]   runs the pages whose path contains a name, or all of them")
        for command in commands where !command.summary.isEmpty {
            print("swift run Playground \(command.word)    \(command.summary)")
        }
        return 0
    }

    /// Runs the pages that are asked for: 0 when all pass, 1 when one fails, 2 when there is none.
    private static func runAll(_ names: [String]) -> Int32 {
        let pages = names.isEmpty ? Page.all : Page.all.filter { page in names.contains { page.isCalled($0) } }
        guard !pages.isEmpty else {
            complain("No page's path contains \(names.joined(separator: " or ")). `--list` names the pages.")
            return 2
        }
        var failed = 0
        for page in pages {
            let outcome = PageProcess(page: page).run()
            print(outcome.report(for: page))
            fflush(nil)
            if !outcome.problems.isEmpty { failed += 1 }
        }
        print("\(pages.count - failed) passed, \(failed) failed")
        return failed == 0 ? 0 : 1
    }

    /// Runs one page in this process, for `PageProcess`.
    private static func runOne(_ arguments: [String]) async -> Int32 {
        guard let page = Page.all.first(where: { $0.path == arguments.first }) else { return 2 }
        do {
            try await page.run()
            return 0
        } catch {
            complain("threw \(error)")
            return 1
        }
    }

    static func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

extension Page {
    /// Whether a name that was typed means this page.
    func isCalled(_ name: String) -> Bool {
        path.lowercased().contains(name.lowercased())
    }
}
