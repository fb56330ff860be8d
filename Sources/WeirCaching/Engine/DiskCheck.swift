// Looks through a disk level's folder from outside, while no level is needed: what stands there, what is wrong with it,
// and what a repair would delete. It reads one file at a time, and never one whose lengths do not agree with its size.

import Foundation

/// What a look through a folder found.
package struct DiskCheck: Sendable {
    /// One file of the folder.
    package struct Item: Sendable {
        /// Its path below the folder.
        package let path: String
        package let content: Content
    }

    /// What a file turned out to be.
    package enum Content: Sendable {
        /// A sound record.
        case record(key: [UInt8], valueSize: Int, size: Int, created: Date, expires: Date?)
        /// Something in a record's place that is no sound record, and why.
        case damaged(String)
        /// A file that a writer left behind, which is gone.
        case stray
        /// Something that no disk level wrote. It is left alone.
        case foreign
        /// It could not be read.
        case unreadable(DiskFailure)

        /// Whether a repair deletes it.
        package var isFault: Bool {
            switch self {
            case .damaged, .stray: true
            case .record, .foreign, .unreadable: false
            }
        }
    }

    /// Every file, in the order of the paths.
    package let items: [Item]

    /// Looks through a folder.
    package init(folder: String) throws(DiskFailure) {
        guard access(folder, F_OK) == 0 else { throw DiskFailure("open", folder) }
        let files = DiskFiles()
        var items: [Item] = []
        for name in try files.names(in: folder).sorted() {
            let path = "\(folder)/\(name)"
            guard name.utf8.count == 2, let inner = try? files.names(in: path), files.attributes(of: path) == nil else {
                items.append(Item(path: name, content: Self.isStray(name) ? .stray : .foreign))
                continue
            }
            for file in inner.sorted() {
                let isRecord = file.hasPrefix(name) && Digest(hex: file) != nil
                items.append(
                    Item(
                        path: "\(name)/\(file)",
                        content: isRecord ? Self.record(at: "\(path)/\(file)", files) : .foreign))
            }
        }
        self.items = items
    }

    /// Deletes what is a fault.
    ///
    /// - Returns: what could not be deleted, and why.
    package func repair(folder: String) -> [DiskFailure] {
        items.filter(\.content.isFault).compactMap { DiskFiles().delete("\(folder)/\($0.path)") }
    }

    private static func record(at path: String, _ files: DiskFiles) -> Content {
        switch files.read(path, limit: .max, touch: { _ in false }) {
        case .absent: return .foreign
        case .failed(let failure): return .unreadable(failure)
        case .damaged(let damage): return .damaged(damage.description)
        case .bytes(let bytes):
            do throws(DiskRecord.Damage) {
                let record = try DiskRecord(decoding: bytes)
                return .record(
                    key: record.key, valueSize: record.value.count, size: bytes.count,
                    created: Date(nanoseconds: record.created), expires: record.expires.map { Date(nanoseconds: $0) })
            } catch {
                return .damaged(error.description)
            }
        }
    }

    /// A temporary file whose process lives may still be on its way.
    private static func isStray(_ name: String) -> Bool {
        let parts = name.dropFirst().split(whereSeparator: { $0 == "-" || $0 == "." })
        guard name.hasPrefix("."), name.hasSuffix(".tmp"), parts.count == 3, let process = Int32(parts[0]), process > 0
        else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}

extension DiskRecord.Damage: CustomStringConvertible {
    var description: String {
        switch self {
        case .tooShort: "it is shorter than a record"
        case .magic: "it does not begin as a record does"
        case .version(let version): "its version is \(version), and this program knows 1"
        case .flags(let flags): "its flags are \(flags), and this program knows 1"
        case .lengths: "its lengths do not agree with its size"
        case .checksum: "its checksum is not that of its bytes"
        case .otherKey: "it is another key's record"
        case .notAFile: "it is no regular file"
        }
    }
}
