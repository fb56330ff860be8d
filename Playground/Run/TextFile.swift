import Foundation

/// What is wrong with a file that a command reads, with its lines where they are at fault.
struct FileFault: Error, CustomStringConvertible {
    let description: String
}

/// A file of lines that a command reads.
enum TextFile {
    /// The bytes; `-` is standard input.
    static func data(_ path: String) throws(FileFault) -> Data {
        do {
            return path == "-"
                ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(filePath: path))
        } catch {
            throw FileFault(description: "\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    /// The lines, empty ones too. A carriage return and a line feed are one character; a byte order mark is in no line.
    static func lines(_ data: Data) -> [Substring] {
        String(decoding: data, as: UTF8.self).drop { $0 == "\u{FEFF}" }
            .split(omittingEmptySubsequences: false) { $0.isNewline }
    }
}
