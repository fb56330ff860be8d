// How far a file is, and what becomes of files that arrive.

import Foundation

/// How far a transfer is.
public struct TransferProgress: Hashable, Sendable, CustomStringConvertible {
    /// The bytes that have arrived and are on the receiver's disk.
    public let bytes: Int
    /// The bytes of the whole file.
    public let total: Int

    /// From both numbers.
    public init(bytes: Int, total: Int) {
        self.bytes = bytes
        self.total = total
    }

    /// From 0 to 1; an empty file is always done.
    public var fraction: Double { total == 0 ? 1 : Double(bytes) / Double(total) }

    /// As in `3.1 of 8.0 MB`.
    public var description: String {
        let units: [(size: Int, name: String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")]
        guard let unit = units.first(where: { total >= $0.size }) else { return "\(bytes) of \(total) B" }
        return "\(tenths(bytes, unit.size)) of \(tenths(total, unit.size)) \(unit.name)"
    }

    private func tenths(_ count: Int, _ size: Int) -> String {
        let tenths = Int((Double(count) / Double(size) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// A file that somebody sends to us.
public struct IncomingFile: Hashable, Sendable, CustomStringConvertible {
    /// Who sends it.
    public let peer: Peer
    /// Its name, without any folder.
    public let name: String
    /// Its size in bytes.
    public let size: Int
    /// Tells it from other transfers of the same session.
    public let number: Int

    /// From what the sender says.
    public init(peer: Peer, name: String, size: Int, number: Int) {
        self.peer = peer
        self.name = name
        self.size = size
        self.number = number
    }

    /// As in `notes.txt from Desk`.
    public var description: String { "\(name) from \(peer.name)" }
}

/// What becomes of a file that somebody sends to us.
public enum FileEvent: Hashable, Sendable {
    /// More of it is on the disk.
    case progress(IncomingFile, TransferProgress)
    /// It is there whole, its hash is right, and this is where it stands.
    case finished(IncomingFile, URL)
    /// It will not come; nothing of it is left on the disk.
    case failed(IncomingFile, PeerError)
}
