// The calls to the file system, and the careful ways around them: a file appears whole or not at all, and what is not a
// regular file of ours is never followed, waited for or allocated for. Foundation's atomic write syncs each file and makes
// it readable for all, so the level has its own path. Every call blocks: run it on a queue of the level's own.

import Foundation

/// A call of the file system that failed.
public struct DiskFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The call, such as `open`.
    public let call: String
    /// The file or directory.
    public let path: String
    /// The system's error number.
    public let code: Int32

    /// `open /x/y: Permission denied (13)`.
    public var description: String { "\(call) \(path): \(String(cString: strerror(code))) (\(code))" }

    /// The call with the thread's error number of this moment.
    init(_ call: String, _ path: String) {
        self.init(call, path, code: errno)
    }

    init(_ call: String, _ path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }
}

/// What reading a file gave.
enum FileContent {
    case bytes([UInt8])
    case absent
    case damaged(DiskRecord.Damage)
    case failed(DiskFailure)
}

/// The file system, with the one call that tests replace.
struct DiskFiles: Sendable {
    /// `write(2)`: it may take fewer bytes than it is given.
    var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { Foundation.write($0, $1, $2) }

    /// Reads a record's file whole, after its header has been found to agree with its size.
    ///
    /// - Parameters:
    ///   - limit: bytes; a larger file is damaged, whatever its lengths say, and nothing is allocated for it.
    ///   - touch: asked once the file is known to be sound in its lengths; true sets its time to now.
    func read(_ path: String, limit: Int, touch: (_ size: Int) -> Bool) -> FileContent {
        // Without O_NONBLOCK a FIFO in the file's place would keep us waiting for a writer.
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return .absent
            case ELOOP, ENXIO: return .damaged(.notAFile)
            default: return .failed(DiskFailure("open", path))
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .failed(DiskFailure("stat", path)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .damaged(.notAFile) }
        let size = Int(status.st_size)
        guard size <= limit else { return .damaged(.lengths) }
        do {
            let start = try bytes(DiskRecord.Header.size, of: file, path)
            _ = try DiskRecord.Header(decoding: start, fileSize: size)
            let all = try bytes(size, after: start, of: file, path)
            guard all.count == size else { return .damaged(.tooShort) }
            if touch(size) { futimens(file, nil) }
            return .bytes(all)
        } catch let damage as DiskRecord.Damage {
            return .damaged(damage)
        } catch let failure as DiskFailure {
            return .failed(failure)
        } catch {
            return .failed(DiskFailure("read", path))
        }
    }

    /// Up to `count` bytes, of which `start` are there already; fewer at the file's end.
    private func bytes(
        _ count: Int, after start: [UInt8] = [], of file: Int32, _ path: String
    ) throws(DiskFailure) -> [UInt8] {
        var failure: DiskFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = buffer.update(fromContentsOf: start)
            while filled < count {
                let got = Foundation.read(file, buffer.baseAddress.map { $0 + filled }, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    if got < 0 { failure = DiskFailure("read", path) }
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes a file so that it appears under its name whole or not at all.
    ///
    /// - Parameters:
    ///   - temporary: a path on the same file system that exists nowhere yet.
    ///   - durable: sync the file before it appears, and its directory after.
    func replace(
        _ path: String, with bytes: [UInt8], temporary: String, durable: Bool
    ) throws(DiskFailure) {
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw DiskFailure("open", temporary) }
        var failure = writeAll(bytes, to: file, temporary)
        if failure == nil, durable, fsync(file) != 0 { failure = DiskFailure("fsync", temporary) }
        // A full disk or a lost server may show itself only here.
        if close(file) != 0, failure == nil { failure = DiskFailure("close", temporary) }
        if failure == nil { failure = move(temporary, to: path) }
        if let failure {
            unlink(temporary)
            throw failure
        }
        if durable { try sync(directory: Self.parent(of: path)) }
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32, _ path: String) -> DiskFailure? {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, let start = buffer.baseAddress {
                let took = write(file, start + done, buffer.count - done)
                if took > 0 {
                    done += took
                } else if took == 0 || errno != EINTR {
                    return took == 0 ? DiskFailure("write", path, code: ENOSPC) : DiskFailure("write", path)
                }
            }
            return nil
        }
    }

    /// Renames, and makes the directory of the new name where it is missing.
    private func move(_ old: String, to new: String) -> DiskFailure? {
        if rename(old, new) == 0 { return nil }
        guard errno == ENOENT else { return DiskFailure("rename", new) }
        let parent = Self.parent(of: new)
        guard mkdir(parent, 0o700) == 0 || errno == EEXIST else { return DiskFailure("mkdir", parent) }
        return rename(old, new) == 0 ? nil : DiskFailure("rename", new)
    }

    private func sync(directory: String) throws(DiskFailure) {
        let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw DiskFailure("open", directory) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw DiskFailure("fsync", directory) }
    }

    /// Deletes a file, or what stands in its place where that is a link, a FIFO or an empty directory.
    ///
    /// - Returns: why it is still there, or `nil`.
    func delete(_ path: String) -> DiskFailure? {
        if unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR { return nil }
        let failure = DiskFailure("unlink", path)
        guard failure.code == EISDIR || failure.code == EPERM else { return failure }
        return rmdir(path) == 0 ? nil : failure
    }

    /// Makes a directory and those above it.
    func make(directory: String) throws(DiskFailure) {
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        let parent = Self.parent(of: directory)
        guard errno == ENOENT, parent != directory else { throw DiskFailure("mkdir", directory) }
        try make(directory: parent)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw DiskFailure("mkdir", directory) }
    }

    /// The names in a directory; none where there is no directory.
    func names(in directory: String) throws(DiskFailure) -> [String] {
        guard let stream = opendir(directory) else {
            if errno == ENOENT { return [] }
            throw DiskFailure("opendir", directory)
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw DiskFailure("readdir", directory) }
        return names
    }

    /// Size and time in nanoseconds of a regular file; `nil` for anything else. It follows no link.
    func attributes(of path: String) -> (size: Int, modified: Int64)? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return (Int(status.st_size), Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The system's time in nanoseconds, by the clock that stamps files.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
