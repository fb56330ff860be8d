// A page of documentation as a program. The build writes one function a page and `Page.all` from the Markdown in Docs
// and from README.md (`Playground/Extract`); `Playground/Run` runs them. `Docs` beside this file is a link to the pages.

import Foundation

/// A page that has code to run.
public struct Page: Sendable {
    /// The path from the top of the project: `Docs/Start.md`.
    public let path: String
    /// The path without the folder and the suffix: `Operators/Timing/Debounce`.
    public var name: String {
        String((path.hasPrefix("Docs/") ? path.dropFirst(5) : path[...]).dropLast(3))
    }
    /// What the page says that it prints, in order.
    public let outputs: [Output]
    /// The blocks of the page, one after the other, as top-level code would run: on the main actor.
    public let run: @MainActor @Sendable () async throws -> Void

    /// A block of output: what the page prints after the output before it.
    public struct Output: Sendable {
        /// The line of its first line of text.
        public let line: Int
        /// Its text, without the last line feed.
        public let text: String

        /// A block of output at its place.
        public init(line: Int, text: String) {
            self.line = line
            self.text = text
        }
    }

    /// A page from its parts.
    public init(path: String, outputs: [Output], run: @escaping @MainActor @Sendable () async throws -> Void) {
        self.path = path
        self.outputs = outputs
        self.run = run
    }
}

/// What a page says between its own prints. Control characters keep it apart from what a page may print.
public enum Mark {
    /// Before a mark.
    public static let open: Character = "\u{1}"
    /// After a mark.
    public static let close: Character = "\u{2}"
}

/// Says that the block of code at this line begins.
func pageBlock(_ line: Int) { mark("block \(line)") }

/// Says that what was printed since the output before belongs to the next one.
func pageOutput() { mark("output") }

private func mark(_ text: String) {
    print("\(Mark.open)\(text)\(Mark.close)", terminator: "")
    fflush(nil)
}
