// Records in one directory, bounded in bytes, the least recently used go first. The directory is the truth: reads ask it
// directly, writes appear in it whole, and the index is rebuilt from it. Every call blocks, and one call runs at a time:
// the level owns a serial queue for that. Any number of stores and processes may share the directory.

import Foundation
import Weir

/// The files of one disk level.
final class DiskStore: Sendable {
    /// What reading gave.
    enum Found {
        case record(DiskRecord)
        case absent, expired, damaged
        case failed(DiskFailure)
    }

    private struct State {
        var index = DiskIndex()
        /// When the directory was last looked through; `nil` before the first time.
        var scanned: Int64?
        var statistics = CacheStatistics()
        /// Who else is in the directory; `nil` where it was not there yet.
        var neighbours: DiskNeighbours?
        /// Bytes written since it was asked whether there are any.
        var written = 0
        /// A look at the directory is to come once the writes rest.
        var isRestDue = false
    }

    private enum Times {
        /// Between two marks of use on one file.
        static let touch: Int64 = 60_000_000_000
        /// Between two looks at the directory while there are writes: other processes write there, too.
        static let rescan: Int64 = 5_000_000_000
        /// After which a temporary file of a living process counts as left behind.
        static let stale: Int64 = 3_600_000_000_000
    }

    let directory: String
    private let bound: Lock<Int>
    private let domain: String
    private let durable: Bool
    private let files: DiskFiles
    private let state = Lock(State())

    /// Numbers the temporary files of this process.
    private static let counter = Tally()
    /// No temporary file of this process is older. The system stamps files by a clock that is a little late.
    private static let began = DiskFiles.now - 100_000_000

    /// - Parameters:
    ///   - directory: made at the first write, with those above it.
    ///   - limit: bytes of all files together; zero or less keeps nothing.
    ///   - domain: keeps apart what shares a directory.
    init(directory: String, limit: Int, domain: String, durable: Bool, files: DiskFiles = DiskFiles()) {
        self.directory = directory
        bound = Lock(max(0, limit))
        self.domain = domain
        self.durable = durable
        self.files = files
        _ = Self.began
    }

    /// Reads what is kept under a key. A file that is not that key's sound record is deleted.
    ///
    /// - Parameter moment: records that expire at it or before are deleted, too.
    func read(_ key: [UInt8], at moment: Int64) -> Found {
        if let failure = prepare() { return counted(.failed(failure)) }
        let digest = Digest(domain: domain, key: key)
        let content = files.read(path(of: digest), limit: limit) { size in
            let now = DiskFiles.now
            return state.withLock { $0.index.use(digest, size: size, at: now, interval: Times.touch) }
        }
        switch content {
        case .absent:
            state.withLock { $0.index.remove(digest) }
            return counted(.absent)
        case .failed(let failure): return counted(.failed(failure))
        case .damaged: return drop(digest, .damaged, .corrupt)
        case .bytes(let bytes):
            guard let record = try? DiskRecord(decoding: bytes), record.key == key else {
                return drop(digest, .damaged, .corrupt)
            }
            if let expires = record.expires, expires <= moment { return drop(digest, .expired, .expired) }
            return counted(.record(record))
        }
    }

    /// Writes a record, and makes room after it.
    func write(_ record: DiskRecord) throws(CacheError) {
        let size = DiskRecord.fileSize(key: record.key.count, value: record.value.count)
        let limit = limit
        guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
        if let failure = prepare() { throw .writeFailed(failure) }
        let digest = Digest(domain: domain, key: record.key)
        let path = path(of: digest)
        let isForeign = state.withLock { $0.index.size(of: digest) == nil } && files.attributes(of: path) != nil
        do {
            try place(record.encoded(), at: path)
        } catch {
            throw .writeFailed(error)
        }
        let file = DiskIndex.File(digest: digest, size: size, used: DiskFiles.now)
        let lastScan = state.withLock { state in
            state.index.put(file)
            return state.scanned ?? 0
        }
        let isLate = !(0..<Times.rescan).contains(file.used - lastScan)
        if isForeign || isLate || isCrowded(after: size) { _ = scan() }
        trim()
    }

    /// Deletes what is kept under a key; an absent one is none the worse.
    func remove(_ key: [UInt8]) throws(CacheError) {
        let digest = Digest(domain: domain, key: key)
        if let failure = files.delete(path(of: digest)) { throw .writeFailed(failure) }
        state.withLock { state in
            if state.index.size(of: digest) != nil { state.statistics.removals.count(.removed) }
            state.index.remove(digest)
        }
    }

    /// Deletes every record, also those that another process wrote.
    func clear() throws(CacheError) {
        if let failure = scan() { throw .writeFailed(failure) }
        // Below zero, so that empty files go, too.
        let all = state.withLock { $0.index.surplus(over: -1, sparingNewest: false) }
        var failure: DiskFailure?
        for digest in all { failure = evict(digest, .cleared) ?? failure }
        if let failure { throw .writeFailed(failure) }
    }

    /// Bytes of all files together.
    var limit: Int { bound.withLock { $0 } }

    /// Changes the limit and deletes what is over it.
    func setLimit(_ limit: Int) throws(CacheError) {
        bound.withLock { $0 = max(0, limit) }
        if let failure = prepare() { throw .writeFailed(failure) }
        trim()
    }

    /// True once, until `rest` was called: whoever wrote is to call it when this long has passed.
    func takeRest() -> Duration? {
        state.withLock { state in
            defer { state.isRestDue = true }
            return state.isRestDue ? nil : .nanoseconds(Times.rescan)
        }
    }

    /// Looks at the directory where others wrote, too, so that the limit holds for what all have written.
    func rest() {
        state.withLock { $0.isRestDue = false }
        guard hasNeighbours, scan() == nil else { return }
        trim()
    }

    /// Bytes of all files that the index knows.
    var used: Int { state.withLock { $0.index.total } }

    /// Files that the index knows.
    var count: Int { state.withLock { $0.index.count } }

    var statistics: CacheStatistics { state.withLock { $0.statistics } }

    /// Where the record of a key is, for tests and for people who look.
    func path(ofKey key: [UInt8]) -> String { path(of: Digest(domain: domain, key: key)) }
}

extension DiskStore {
    private func path(of digest: Digest) -> String {
        let name = digest.hex
        return "\(directory)/\(name.prefix(2))/\(name)"
    }

    private func counted(_ found: Found) -> Found {
        state.withLock {
            if case .record = found { $0.statistics.hits += 1 } else { $0.statistics.misses += 1 }
        }
        return found
    }

    private func drop(_ digest: Digest, _ found: Found, _ cause: RemovalCause) -> Found {
        _ = evict(digest, cause)
        return counted(found)
    }

    /// Deletes a file and forgets it; one that cannot be deleted stays known.
    private func evict(_ digest: Digest, _ cause: RemovalCause) -> DiskFailure? {
        if let failure = files.delete(path(of: digest)) { return failure }
        state.withLock {
            $0.index.remove(digest)
            $0.statistics.removals.count(cause)
        }
        return nil
    }

    /// Whether it is time to see what others wrote: each one that has written a twenty-fifth of the limit since it last
    /// looked, looks. So two that write as fast as they can stay within 1.1 times the limit.
    private func isCrowded(after size: Int) -> Bool {
        let share = limit / 25
        let isDue = state.withLock { state in
            state.written += size
            return state.written > share
        }
        guard isDue else { return false }
        state.withLock { $0.written = 0 }
        return hasNeighbours
    }

    private var hasNeighbours: Bool {
        if let known = state.withLock({ $0.neighbours }) { return known.arePresent }
        let new = DiskNeighbours(directory: directory)
        state.withLock { $0.neighbours = new }
        return new?.arePresent ?? false
    }

    private func trim() {
        let limit = limit
        let surplus = state.withLock { state in
            guard state.index.total > limit else { return [Digest]() }
            return state.index.surplus(over: limit - limit / 10, sparingNewest: limit > 0)
        }
        for digest in surplus { _ = evict(digest, .evicted) }
    }

    /// Puts a file into the directory, which is made where it is missing or has vanished.
    private func place(_ bytes: [UInt8], at path: String) throws(DiskFailure) {
        for attempt in 0... {
            let temporary = "\(directory)/.\(getpid())-\(Self.counter.add()).tmp"
            do {
                return try files.replace(path, with: bytes, temporary: temporary, durable: durable)
            } catch {
                // A number that an earlier process of the same id left behind is passed over.
                if error.code == EEXIST && attempt < 1_000 { continue }
                guard error.code == ENOENT && attempt == 0 else { throw error }
                try files.make(directory: directory)
                state.withLock { $0.neighbours = nil }
            }
        }
    }

    /// Looks the directory through once, before anything else is done.
    private func prepare() -> DiskFailure? {
        guard state.withLock({ $0.scanned == nil }) else { return nil }
        if let failure = scan() { return failure }
        trim()
        return nil
    }

    /// Takes the index over from the directory and sweeps temporary files that nobody will finish.
    private func scan() -> DiskFailure? {
        let neighbours = DiskNeighbours(directory: directory)
        do {
            var found: [DiskIndex.File] = []
            for name in try files.names(in: directory) {
                if name.hasSuffix(".tmp") {
                    sweep(name)
                } else if name.utf8.count == 2 {
                    found += try filesOf(folder: name)
                }
            }
            let now = DiskFiles.now
            state.withLock {
                $0.index.adopt(found)
                $0.scanned = now
                $0.neighbours = neighbours
                $0.written = 0
            }
            return nil
        } catch {
            return error
        }
    }

    private func filesOf(folder: String) throws(DiskFailure) -> [DiskIndex.File] {
        let path = "\(directory)/\(folder)"
        do {
            return try files.names(in: path).compactMap { name in
                guard name.hasPrefix(folder), let digest = Digest(hex: name),
                    let file = files.attributes(of: "\(path)/\(name)")
                else { return nil }
                return DiskIndex.File(digest: digest, size: file.size, used: file.modified)
            }
        } catch {
            if error.code == ENOTDIR { return [] }
            throw error
        }
    }

    /// Deletes a temporary file whose process is gone, or that is too old to be still written.
    private func sweep(_ name: String) {
        let path = "\(directory)/\(name)"
        let parts = name.dropFirst().split(whereSeparator: { $0 == "-" || $0 == "." })
        guard name.hasPrefix("."), parts.count == 3, let process = Int32(parts[0]), process > 0 else { return }
        guard let file = files.attributes(of: path) else { return }
        // A process may get the number of the one before it: in a container, for one, it always does.
        let isOfNamesake = process == getpid() && file.modified < Self.began
        let isGone = isOfNamesake || kill(process, 0) != 0 && errno == ESRCH
        if isGone || DiskFiles.now - file.modified > Times.stale { _ = files.delete(path) }
    }
}
