// Finds the blocks of code and of output in a page of Markdown.

/// What is wrong with a page, at its place.
struct PageError: Error, Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): error: \(reason)" }
}

/// A fenced block that the build cares about.
struct Block: Equatable {
    enum Kind: Equatable {
        /// Compiled and run, in one scope with the others of the page.
        case run
        /// Compiled in a scope of its own.
        case noRun
        /// What the page prints.
        case output
    }

    let kind: Kind
    /// The line of its first line of text; the page's first line is 1.
    let line: Int
    let lines: [String]
}

/// The blocks of a page in order.
///
/// A fence is three or more backticks; it closes with as many. Blocks in other languages are left alone, and a word after
/// `swift` that is not known is an error: a slip must not take a block out of the build.
func blocks(of text: String, path: String) throws(PageError) -> [Block] {
    var found: [Block] = []
    var open: (fence: Fence, line: Int, lines: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if let (fence, start, lines) = open {
            guard let end = Fence(line), end.info.isEmpty, end.ticks >= fence.ticks else {
                open?.lines.append(String(line.dropFirst(min(fence.indent, line.prefix { $0 == " " }.count))))
                continue
            }
            if let kind = try fence.kind(path: path, line: start) {
                found.append(Block(kind: kind, line: start + 1, lines: lines))
            }
            open = nil
        } else if let fence = Fence(line) {
            open = (fence, index + 1, [])
        }
    }
    if let open { throw PageError(path: path, line: open.line, reason: "this block is never closed") }
    if let first = found.first(where: { $0.kind != .noRun }), first.kind == .output {
        throw PageError(path: path, line: first.line, reason: "output before any code that could print it")
    }
    return found
}

/// A line of backticks and what stands behind them.
private struct Fence {
    let indent: Int
    let ticks: Int
    let info: String

    init?(_ line: Substring) {
        let rest = line.drop { $0 == " " }
        let after = rest.drop { $0 == "`" }
        indent = line.count - rest.count
        ticks = rest.count - after.count
        info = after.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard ticks >= 3, !info.contains("`") else { return nil }
    }

    func kind(path: String, line: Int) throws(PageError) -> Block.Kind? {
        switch info {
        case "swift": return .run
        case "swift no-run": return .noRun
        case "output": return .output
        case _ where info.hasPrefix("swift ") || info.hasPrefix("output "):
            throw PageError(
                path: path, line: line,
                reason: "no block is called \"\(info)\": say swift, swift no-run or output, or text for what is no code"
            )
        default: return nil
        }
    }
}
