// The level in the user's defaults: for few and small values, such as settings, that are to be there at the next start.
// Its work runs on a serial queue of its own; what has a copy in memory is answered at once.

import Dispatch
import Foundation
import Weir
import WeirSupport

/// A level in the user's defaults, under a name. It has no limit and survives the process, without any call to save.
///
/// Two levels of one name share one store; another name, and what a program itself keeps in its defaults, is never
/// touched. Copies in memory make a second read cheap, and go under memory pressure. What another process writes under
/// the same name is seen once there is no copy.
public struct DefaultsLevel<Key: CacheKey, Value: Sendable>: CacheLevel {
    let store: DefaultsStore
    private let form: RecordForm<Key, Value>
    private let gate = WorkGate()

    /// A level whose values become data and come back by two functions.
    ///
    /// - Parameters:
    ///   - name: of the domain, such as an application group's; on Linux the name of a file in the user's configuration.
    ///   - now: the wall clock that entries expire by.
    ///   - encode: makes data; what it throws fails the `set`.
    ///   - decode: makes the value; what it throws is a miss that is reported.
    public init(
        name: String, now: @escaping @Sendable () -> Date = { Date() },
        encode: @escaping @Sendable (Value) throws -> Data, decode: @escaping @Sendable (Data) throws -> Value
    ) {
        store = .named(name)
        form = RecordForm(now: now, encode: encode, decode: decode)
    }

    /// How many entries are kept. O(n).
    public var count: Int { store.count }

    /// The entry that has a copy in memory.
    public func held(_ key: Key) -> CacheEntry<Value>? {
        guard gate.isOpen, let record = store.held(key.cacheBytes, at: form.moment) else { return nil }
        return try? form.entry(of: record)
    }

    /// Reads the entry. One that is damaged is removed, and fails with `corrupt`.
    public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        onQueue { () throws(CacheError) in try read(key) }
    }

    /// Keeps the entry; when it finishes, the entry survives the process.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        onQueue { () throws(CacheError) in
            try write(entry, key)
            return nil
        }
    }

    /// Removes the key.
    public func remove(_ key: Key) -> Observable<Never, CacheError> {
        onQueue {
            store.remove(key.cacheBytes)
            return nil
        }
    }

    /// Removes every key of this name, whichever level wrote it.
    public func clear() -> Observable<Never, CacheError> {
        onQueue {
            store.clear()
            return nil
        }
    }

    /// Lets go of the copies in memory; what is kept stays.
    public func onMemoryPressure(_ pressure: MemoryPressureLevel) { store.dropSoftCopies() }

    /// Calls under way may end. What is cut is answered with `closed`.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler)
    }

    /// Hits, misses and removals of all levels of this name.
    public var statistics: CacheStatistics { store.statistics }

    private func onQueue<Answer: Sendable>(
        _ act: @escaping @Sendable () throws(CacheError) -> Answer?
    ) -> Observable<Answer, CacheError> {
        .work(on: DefaultsQueue.shared, act).gated(by: gate)
    }

    private func read(_ key: Key) throws(CacheError) -> CacheEntry<Value> {
        try form.entry(of: store.read(key.cacheBytes, at: form.moment), key)
    }

    private func write(_ entry: CacheEntry<Value>, _ key: Key) throws(CacheError) {
        store.write(try form.record(entry, key))
    }
}

/// One queue for all: defaults are one place, and small.
private enum DefaultsQueue {
    static let shared = DispatchQueue(label: "weir.caching.defaults")
}

extension DefaultsLevel where Value == Data {
    /// A level of data, kept as it is.
    ///
    /// - Parameters:
    ///   - name: of the domain, such as an application group's; on Linux the name of a file in the user's configuration.
    ///   - now: the wall clock that entries expire by.
    public init(name: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(name: name, now: now, encode: { $0 }, decode: { $0 })
    }
}

extension DefaultsLevel where Value: Codable {
    /// A level of codable values, kept as JSON.
    ///
    /// - Parameters:
    ///   - name: of the domain, such as an application group's; on Linux the name of a file in the user's configuration.
    ///   - now: the wall clock that entries expire by.
    public init(name: String, now: @escaping @Sendable () -> Date = { Date() }) {
        let coder = JSONCoder()
        self.init(
            name: name, now: now, encode: { try coder.encode($0) }, decode: { try coder.decode(Value.self, from: $0) })
    }
}

extension DefaultsLevel: CustomStringConvertible {
    /// As in `DefaultsLevel(3 entries in settings)`.
    public var description: String { "DefaultsLevel(\(count) entries in \(store.name))" }
}
