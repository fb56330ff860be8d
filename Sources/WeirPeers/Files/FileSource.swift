// A file that is being read for somebody: chunk after chunk, hashed on the way. It has the size that it had at first; what
// is appended later does not go, and a file that shrinks is an error.

import Foundation
import WeirSupport

final class FileSource: Sendable {
    let size: Int
    private let path: String
    private let state: Lock<State>

    private struct State {
        let fd: Int32
        var offset = 0
        var hasher = SHA256Hasher()
    }

    /// The next bytes; the last chunk comes with the hash of all of them.
    struct Chunk: Sendable {
        let bytes: [UInt8]
        let digest: [UInt8]?
    }

    init(_ url: URL) throws(PeerError) {
        path = url.path
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw .io("cannot read \(url.path): \(systemMessage())") }
        var info = stat()
        guard fstat(fd, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(fd)
            throw .io("cannot send \(url.path): it is not a file; pack a folder first")
        }
        size = Int(info.st_size)
        state = Lock(State(fd: fd))
    }

    deinit { close(state.withLock { $0.fd }) }

    /// Reads on. Blocks for as long as the disk does.
    func next(_ most: Int) -> Result<Chunk, PeerError> {
        state.withLock { state in
            let count = min(most, size - state.offset)
            var failure: String?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count, let base = buffer.baseAddress {
                    let got = read(state.fd, base + filled, count - filled)
                    if got > 0 {
                        filled += got
                    } else if got == 0 || errno != EINTR {
                        failure = got == 0 ? "it became shorter meanwhile" : systemMessage()
                        return
                    }
                }
            }
            if let failure { return .failure(.io("cannot read \(path): \(failure)")) }
            state.hasher.update(bytes)
            state.offset += count
            return .success(Chunk(bytes: bytes, digest: state.offset == size ? state.hasher.finalize() : nil))
        }
    }
}

/// What the system says about its last error.
func systemMessage() -> String { String(cString: strerror(errno)) }
