// Compares what a page printed with what it says that it prints.

import Foundation
import WeirPages

/// What a page printed, parted at its marks.
struct Printed: Equatable {
    /// What was printed before each block of output that was reached.
    var outputs: [String] = []
    /// What was printed after the last of them.
    var rest = ""
    /// The line of the block of code that was reached last.
    var block: Int?

    init(_ text: String) {
        for piece in text.split(separator: Mark.open, omittingEmptySubsequences: false).enumerated() {
            guard piece.offset > 0, let end = piece.element.firstIndex(of: Mark.close) else {
                rest += piece.element
                continue
            }
            let mark = piece.element[..<end].split(separator: " ")
            if mark.first == "output" {
                outputs.append(rest)
                rest = ""
            } else if mark.count == 2 {
                block = Int(mark[1])
            }
            rest += piece.element[piece.element.index(after: end)...]
        }
    }
}

/// How a page did.
struct Outcome {
    let time: Duration
    /// What is wrong, each with its place; none where the page passed.
    let problems: [String]

    /// A line for the page, and the problems below it.
    func report(for page: Page) -> String {
        let name = page.name.padding(toLength: max(40, page.name.count), withPad: " ", startingAt: 0)
        let line = String(format: "%@ %@ %.3f s", name, problems.isEmpty ? "passed" : "FAILED", time.seconds)
        return ([line] + problems.flatMap { $0.split(separator: "\n").map { "    \($0)" } }).joined(separator: "\n")
    }
}

/// What is wrong with a page that ran. Each output is compared with what was printed since the output before; what is
/// printed after the last one must be nothing. Spaces at a line's end and empty lines at both ends do not count.
func findings(page: Page, printed: Printed, ending: Ending) -> [String] {
    var findings: [String] = []
    for (output, text) in zip(page.outputs, printed.outputs) {
        let expected = lines(output.text)
        let found = lines(text)
        if let difference = difference(from: expected, to: found) {
            findings.append(
                """
                \(page.path):\(output.line + difference.line): the page prints something else \
                (- is on the page, + was printed)
                \(difference.text)
                """)
        }
    }
    if let problem = ending.problem(at: "\(page.path):\(printed.block ?? 1)") {
        findings.append(problem)
    } else if printed.outputs.count == page.outputs.count, !lines(printed.rest).isEmpty {
        findings.append(
            "\(page.path): printed after the last output block, where no reader sees it:\n"
                + lines(printed.rest).map { "  + \($0)" }.joined(separator: "\n"))
    }
    return findings
}

extension Ending {
    /// What went wrong in the block of code at this place, where the page did not come to its end.
    fileprivate func problem(at place: String) -> String? {
        switch how {
        case .exit(0): nil
        case .exit(let code): "\(place): ended early with code \(code)\n\(lastErrors)"
        case .signal(let signal): "\(place): stopped by signal \(signal)\n\(lastErrors)"
        case .timeout(let limit): "\(place): not at its end after \(limit), so it was stopped\n\(lastErrors)"
        }
    }

    private var lastErrors: String {
        errors.split(separator: "\n").prefix(12).map { "  \($0)" }.joined(separator: "\n")
    }
}

/// The lines of a text as they are compared.
private func lines(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        String(line.reversed().drop(while: \.isWhitespace).reversed())
    }
    let start = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? start
    return Array(lines[start..<end])
}

/// The differing lines with the equal ones between them, and the index of the first expected line that differs.
private func difference(from expected: [String], to found: [String]) -> (line: Int, text: String)? {
    guard expected != found else { return nil }
    let changes = found.difference(from: expected)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var text: [String] = []
    var left = 0
    var right = 0
    var first: Int?
    while left < expected.count || right < found.count {
        if removed.contains(left), left < expected.count {
            first = first ?? left
            text.append("  - \(expected[left])")
            left += 1
        } else if inserted.contains(right), right < found.count {
            first = first ?? left
            text.append("  + \(found[right])")
            right += 1
        } else {
            text.append("    \(expected[left])")
            left += 1
            right += 1
        }
    }
    return (min(first ?? 0, max(expected.count - 1, 0)), text.joined(separator: "\n"))
}
