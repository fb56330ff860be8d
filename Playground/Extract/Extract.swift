// Markdown to Swift.
//
//     WeirExtract page OUT ROOT Docs/Start.md       the Swift of a page
//     WeirExtract index OUT ROOT README.md …        the list of all pages

import Foundation

@main enum Extract {
    static func main() {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard arguments.count >= 3, let mode = arguments.first else {
                throw UsageError(description: "usage: WeirExtract page|index OUT ROOT PAGE…")
            }
            let out = arguments[arguments.startIndex + 1]
            let root = arguments[arguments.startIndex + 2]
            let pages = try arguments.dropFirst(3).map { try read($0, in: root) }
            let text = mode == "index" ? index(of: pages) : pages.map(swift(of:)).joined()
            // What has not changed keeps its date, so nothing is compiled again for it.
            if Data(text.utf8) != (try? Data(contentsOf: URL(filePath: out))) {
                try Data(text.utf8).write(to: URL(filePath: out))
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func read(_ path: String, in root: String) throws -> Source {
        let file = "\(root)/\(path)"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return Source(path: path, file: file, blocks: try blocks(of: text, path: file))
    }
}

private struct UsageError: Error, CustomStringConvertible {
    let description: String
}
