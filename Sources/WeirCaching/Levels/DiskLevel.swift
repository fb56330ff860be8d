// The level on disk: one file a value in one directory, bounded in bytes. All its work runs on a serial queue of its own,
// so that a slow disk never holds a thread of the async pool.

import Dispatch
import Foundation
import Weir
import WeirSupport

/// A level on disk, bounded in bytes, the least recently used go first. It survives the process.
///
/// A reference: copies share the directory's index. Any number of levels and processes may share a directory. Handlers of
/// its streams are called on the level's queue, one at a time: long work in them belongs behind `receive(on:)`.
public struct DiskLevel<Key: CacheKey, Value: Sendable>: CacheLevel {
    let store: DiskStore
    private let queue: DispatchQueue
    private let form: RecordForm<Key, Value>
    private let gate = WorkGate()

    /// A level whose values become data and come back by two functions.
    ///
    /// - Parameters:
    ///   - directory: made at the first write. Files that are not the level's own are left alone.
    ///   - limit: bytes of all files, with keys and headers; over it the level evicts to 90 %, right after the write. Zero
    ///     or less keeps nothing: every `set` fails with `tooLarge`, and what the directory holds is deleted at first use.
    ///   - domain: keeps levels apart that share a directory.
    ///   - durable: sync each file before it appears. Without it the last writes before a power cut may be lost, and what
    ///     is left of them is found damaged and loaded again.
    ///   - now: the wall clock that entries expire by.
    ///   - encode: makes data, on the level's queue; what it throws fails the `set`.
    ///   - decode: makes the value, on the level's queue; what it throws is a miss that is reported.
    public init(
        directory: URL, limit: Int, domain: String = "weir", durable: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() },
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        store = DiskStore(directory: directory.path, limit: limit, domain: domain, durable: durable)
        queue = DispatchQueue(label: "weir.caching.disk")
        form = RecordForm(now: now, encode: encode, decode: decode)
    }

    /// Bytes of all files at most.
    public var limit: Int { store.limit }

    /// Changes the limit; finishes once it holds. What is over a lower one is deleted, the least recently used first.
    public func setLimit(_ limit: Int) -> Observable<Never, CacheError> {
        command { () throws(CacheError) in try store.setLimit(limit) }
    }

    /// Changes the limit, at once, and returns when it holds.
    nonisolated(nonsending) public func setLimit(_ limit: Int) async throws(CacheError) {
        let command: Observable<Never, CacheError> = setLimit(limit)
        try await Self.run(command)
    }

    /// Bytes of all files.
    public var used: Int { store.used }

    /// How many files are held.
    public var count: Int { store.count }

    /// Reads the entry. A file that is damaged, or not this key's, is deleted and fails with `corrupt`.
    public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.work(on: queue) { () throws(CacheError) in try read(key) }.gated(by: gate)
    }

    /// Writes the entry: its file appears whole, or not at all. `tooLarge` where it is over the limit.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        command { () throws(CacheError) in try write(entry, key) }
    }

    /// Deletes the key's file.
    public func remove(_ key: Key) -> Observable<Never, CacheError> {
        command { () throws(CacheError) in try store.remove(key.cacheBytes) }
    }

    /// Deletes all files of the directory that are records, whichever domain or process wrote them.
    public func clear() -> Observable<Never, CacheError> {
        command { () throws(CacheError) in try store.clear() }
    }

    /// Calls under way may end. What is cut is answered with `closed`; a file on its way appears whole, or not at all.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler)
    }

    /// Hits, misses and removals.
    public var statistics: CacheStatistics { store.statistics }

    private func command(_ act: @escaping @Sendable () throws(CacheError) -> Void) -> Observable<Never, CacheError> {
        Observable.work(on: queue) { () throws(CacheError) in
            try act()
            return nil
        }.gated(by: gate)
    }

    private func read(_ key: Key) throws(CacheError) -> CacheEntry<Value> {
        try form.entry(of: store.read(key.cacheBytes, at: form.moment), key)
    }

    private func write(_ entry: CacheEntry<Value>, _ key: Key) throws(CacheError) {
        try store.write(form.record(entry, key))
        guard let rest = store.takeRest() else { return }
        queue.asyncAfter(deadline: .now() + rest.seconds) { [weak store] in store?.rest() }
    }
}

extension DiskLevel where Value == Data {
    /// A level of data, stored as it is.
    ///
    /// - Parameters:
    ///   - directory: made at the first write. Files that are not the level's own are left alone.
    ///   - limit: bytes of all files, with keys and headers; over it the level evicts to 90 %, right after the write. Zero
    ///     or less keeps nothing: every `set` fails with `tooLarge`, and what the directory holds is deleted at first use.
    ///   - domain: keeps levels apart that share a directory.
    ///   - durable: sync each file before it appears.
    ///   - now: the wall clock that entries expire by.
    public init(
        directory: URL, limit: Int, domain: String = "weir", durable: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            directory: directory, limit: limit, domain: domain, durable: durable, now: now, encode: { $0 },
            decode: { $0 })
    }
}

extension DiskLevel where Value: Codable {
    /// A level of codable values, stored as JSON.
    ///
    /// - Parameters:
    ///   - directory: made at the first write. Files that are not the level's own are left alone.
    ///   - limit: bytes of all files, with keys and headers; over it the level evicts to 90 %, right after the write. Zero
    ///     or less keeps nothing: every `set` fails with `tooLarge`, and what the directory holds is deleted at first use.
    ///   - domain: keeps levels apart that share a directory.
    ///   - durable: sync each file before it appears.
    ///   - now: the wall clock that entries expire by.
    public init(
        directory: URL, limit: Int, domain: String = "weir", durable: Bool = false,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let coder = JSONCoder()
        self.init(
            directory: directory, limit: limit, domain: domain, durable: durable, now: now,
            encode: { try coder.encode($0) }, decode: { try coder.decode(Value.self, from: $0) })
    }
}

extension DiskLevel: CustomStringConvertible {
    /// As in `DiskLevel(3 files, 1200 of 50000 bytes in /var/cache/photos)`.
    public var description: String {
        "DiskLevel(\(count) files, \(used) of \(store.limit) bytes in \(store.directory))"
    }
}
