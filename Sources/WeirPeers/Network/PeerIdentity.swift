// Where a peer keeps who it is.

import Foundation

/// Where a peer keeps who it is.
public enum PeerIdentity: Hashable, Sendable {
    /// A new id each time.
    case fresh
    /// An id that the application keeps by itself.
    case given(Peer.ID)
    /// An id that is made at first use and kept in this file, which only its owner can read (mode 0600).
    case kept(URL)

    /// The id.
    ///
    /// - Throws: `io` where the file cannot be read or made, or holds something else. It is never overwritten.
    func load() throws(PeerError) -> Peer.ID {
        let path: String
        switch self {
        case .fresh: return .random()
        case .given(let id): return id
        case .kept(let url): path = url.path
        }
        let made = Peer.ID.random()
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        if fd < 0 {
            guard errno == ENOENT else { throw .io("cannot read the identity \(path): \(systemMessage())") }
            return try Self.keep(made, path) ? made : load()
        }
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: Peer.ID.byteCount + 1)
        let count = read(fd, &bytes, bytes.count)
        guard let id = Peer.ID(bytes: bytes.prefix(max(0, count))) else {
            throw .io("the identity \(path) is damaged; remove it, and this peer becomes a new one")
        }
        return id
    }

    /// Writes beside the file and links it into place, so that it is whole or not there; false where another one was
    /// faster.
    private static func keep(_ id: Peer.ID, _ path: String) throws(PeerError) -> Bool {
        let draft = path + "." + String(UInt64.random(in: .min ... .max), radix: 16)
        let fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw .io("cannot make the identity \(path): \(systemMessage())") }
        let bytes = id.bytes
        let isWhole = write(fd, bytes, bytes.count) == bytes.count && fsync(fd) == 0
        close(fd)
        defer { unlink(draft) }
        guard isWhole else { throw .io("cannot write the identity \(path): \(systemMessage())") }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw .io("cannot keep the identity \(path): \(systemMessage())") }
        return false
    }
}
