import Foundation
import Weir

/// A text in the search field, and when it was typed.
struct Keystroke: Sendable, Equatable {
    let after: Duration
    let text: String
}

/// A file of keystrokes: a line each, milliseconds from the start and the text; `#` begins a comment line.
enum Queries {
    /// A file is refused beyond this: nobody types that much.
    static let maximumBytes = 1 << 20

    static func load(_ path: String?) throws(Complaint) -> [Keystroke] {
        let url = path.map { URL(fileURLWithPath: $0) } ?? Samples.queries
        let name = path ?? "the sample"
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw .queries("\(name) cannot be read: \(error.localizedDescription)")
        }
        guard data.count <= maximumBytes else {
            throw .queries("\(name) has \(data.count) bytes; at most \(maximumBytes) are read")
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw .queries("\(name) is not UTF-8 text") }
        return try parse(text, name: name)
    }

    static func parse(_ text: String, name: String) throws(Complaint) -> [Keystroke] {
        var strokes: [Keystroke] = []
        var last = 0
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.first == "#" { continue }
            let time = line.prefix { !$0.isWhitespace }
            guard let milliseconds = Int(time), milliseconds >= last, milliseconds <= 86_400_000 else {
                throw .queries(
                    "\(name), line \(index + 1): \"\(line.prefix(40))\" does not begin with milliseconds from "
                        + "\(last) to 86400000")
            }
            last = milliseconds
            let typed = line.dropFirst(time.count).drop(while: \.isWhitespace)
            strokes.append(Keystroke(after: .milliseconds(milliseconds), text: String(typed)))
        }
        guard !strokes.isEmpty else { throw .queries("\(name) has no line with milliseconds and a text") }
        return strokes
    }
}

extension Observable where Element == String, Failure == Never {
    /// The texts of the search field as they are typed, each at its own time; it finishes after the last.
    static func typing<S: Scheduler>(_ strokes: [Keystroke], on scheduler: S) -> Observable {
        .create { emitter in
            let start = scheduler.now
            for (index, stroke) in strokes.enumerated() {
                // The end goes with the last text: two pieces of work at one instant may run in any order.
                let isLast = index == strokes.count - 1
                let work = scheduler.schedule(at: start.advanced(by: stroke.after)) {
                    emitter.send(stroke.text)
                    if isLast { emitter.finish() }
                }
                emitter.onTermination { work.cancel() }
            }
            if strokes.isEmpty { emitter.finish() }
        }
    }
}

/// What ships with the program.
enum Samples {
    static var queries: URL { file("queries.txt") }
    static func file(_ name: String) -> URL {
        Bundle.module.bundleURL.appending(path: "Samples").appending(path: name)
    }
}
