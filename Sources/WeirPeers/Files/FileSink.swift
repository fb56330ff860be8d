// A file that is arriving: written under a hidden name that nobody else has, hashed on the way, and given its own name
// only when it is whole and right. Until then it vanishes with this object. All names are relative to the open directory,
// so nothing can lead out of it.

import Foundation
import WeirSupport

final class FileSink: Sendable {
    private let directory: URL
    private let name: String
    private let state: Lock<State>

    private struct State {
        var folder: Int32
        var file: Int32
        let partial: String
        var hasher = SHA256Hasher()

        mutating func discard() {
            guard file >= 0 else { return }
            close(file)
            unlinkat(folder, partial, 0)
            close(folder)
            (file, folder) = (-1, -1)
        }
    }

    /// Opens a partial file in `directory`. `name` has been checked.
    init(_ directory: URL, name: String) throws(PeerError) {
        self.directory = directory
        self.name = name
        let folder = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .io("cannot receive into \(directory.path): \(systemMessage())") }
        let partial = ".weir-" + Hex.string(Peer.ID.random().bytes.prefix(12)) + ".partial"
        let file = openat(folder, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let message = systemMessage()
            close(folder)
            throw .io("cannot write into \(directory.path): \(message)")
        }
        state = Lock(State(folder: folder, file: file, partial: partial))
    }

    deinit { state.withLock { $0.discard() } }

    /// Nothing of the file is left afterwards.
    func discard() { state.withLock { $0.discard() } }

    /// Writes the next bytes. Blocks for as long as the disk does.
    func write(_ bytes: ArraySlice<UInt8>) -> PeerError? {
        state.withLock { state in
            guard state.file >= 0 else { return .cancelled }
            let failure = bytes.withUnsafeBytes { buffer -> String? in
                var rest = buffer[...]
                while !rest.isEmpty {
                    let count = Foundation.write(
                        state.file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return systemMessage() }
                }
                return nil
            }
            if let failure { return .io("cannot write \(name) into \(directory.path): \(failure)") }
            state.hasher.update(bytes)
            return nil
        }
    }

    /// Checks the hash and gives the file its name; where that is taken, a number is added.
    func finish(_ digest: [UInt8]) -> Result<URL, Failure> {
        state.withLock { state in
            guard state.file >= 0 else { return .failure(.disk(.cancelled)) }
            guard state.hasher.finalize() == digest else {
                state.discard()
                return .failure(.wrongDigest)
            }
            guard fsync(state.file) == 0, let final = place(state) else {
                let message = systemMessage()
                state.discard()
                return .failure(.disk(.io("cannot finish \(name) in \(directory.path): \(message)")))
            }
            close(state.file)
            fsync(state.folder)
            close(state.folder)
            (state.file, state.folder) = (-1, -1)
            return .success(directory.appendingPathComponent(final, isDirectory: false))
        }
    }

    enum Failure: Error {
        case wrongDigest
        case disk(PeerError)
    }

    /// An empty file holds the name, so that the partial one can take its place without hiding anybody else's.
    private func place(_ state: State) -> String? {
        for count in 1...10_000 {
            let candidate = FileName.variant(name, count)
            let holder = openat(state.folder, candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if holder < 0 {
                if errno == EEXIST { continue }
                return nil
            }
            close(holder)
            if renameat(state.folder, state.partial, state.folder, candidate) == 0 { return candidate }
            let code = errno
            unlinkat(state.folder, candidate, 0)
            errno = code
            return nil
        }
        return nil
    }
}
