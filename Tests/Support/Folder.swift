import Foundation

/// A folder of a test's own, deleted with its owner.
package final class Folder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "weir-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path(percentEncoded: false) }

    /// What stands in it, by name.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// Every file below, by its path.
    package var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.map { "\(path)/\($0)" }.filter { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
        }
    }

    /// Writes a file into it.
    package func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let file = url.appending(path: name)
        try Data(bytes).write(to: file)
        return file
    }
}
