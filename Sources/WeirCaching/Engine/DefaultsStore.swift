// Records in the system's user defaults, under a name. Each record stands whole in one value, as in a file of the disk
// level, so that its lifetime and checksum come along. What was read or written lately has a soft copy in memory.

import Foundation
import Weir
import WeirSupport

/// The records under one name. All who use a name use one store: `DefaultsStore.named`.
final class DefaultsStore: Sendable {
    private struct Weakly: Sendable {
        weak var store: DefaultsStore?
    }
    private struct State {
        var soft: [[UInt8]: DiskRecord] = [:]
        var statistics = CacheStatistics()
    }
    private static let stores = Lock<[String: Weakly]>([:])

    let name: String
    private let prefix: String
    private let state = Lock(State())

    /// The store of a name: the same one as long as anybody holds it.
    static func named(_ name: String) -> DefaultsStore {
        stores.withLock { stores in
            if let store = stores[name]?.store { return store }
            let store = DefaultsStore(name)
            stores = stores.filter { $0.value.store != nil }
            stores[name] = Weakly(store: store)
            return store
        }
    }

    private init(_ name: String) {
        self.name = name
        prefix = "weir/\(name)/"
    }

    /// A name becomes a file's where defaults are files. The application's own name is no suite, but its standard one.
    private var defaults: UserDefaults {
        UserDefaults(suiteName: name.replacing("/", with: "%2F")) ?? .standard
    }

    private func place(_ key: [UInt8]) -> String { prefix + Hex.string(key) }

    /// The soft copy of a key; an answer that is over is none.
    func held(_ key: [UInt8], at moment: Int64) -> DiskRecord? {
        state.withLock { state in
            guard let record = state.soft[key], record.expires.map({ $0 > moment }) ?? true else { return nil }
            state.statistics.hits += 1
            return record
        }
    }

    /// What is kept under a key. What is damaged or over is removed.
    func read(_ key: [UInt8], at moment: Int64) -> DiskStore.Found {
        let soft = state.withLock { $0.soft[key] }
        guard let record = soft ?? stored(key) else {
            guard defaults.object(forKey: place(key)) != nil else { return counted(.absent) }
            return drop(key, .damaged, .corrupt)
        }
        if let expires = record.expires, expires <= moment { return drop(key, .expired, .expired) }
        state.withLock { $0.soft[key] = record }
        return counted(.record(record))
    }

    private func stored(_ key: [UInt8]) -> DiskRecord? {
        guard let data = defaults.data(forKey: place(key)), let record = try? DiskRecord(decoding: [UInt8](data)),
            record.key == key
        else { return nil }
        return record
    }

    /// Keeps a record, and sees to it that it is kept when the process ends in the next moment.
    func write(_ record: DiskRecord) {
        let defaults = defaults
        let isNew = defaults.object(forKey: place(record.key)) == nil
        defaults.set(Data(record.encoded()), forKey: place(record.key))
        defaults.synchronize()
        state.withLock { state in
            state.soft[record.key] = record
            if !isNew { state.statistics.removals.count(.replaced) }
        }
    }

    /// Removes a key; an absent one is none the worse.
    func remove(_ key: [UInt8]) { forget(key, .removed) }

    /// Removes every key of this name, and nothing else that stands in the defaults.
    func clear() {
        let defaults = defaults
        let all = defaults.dictionaryRepresentation().keys.filter { $0.hasPrefix(prefix) }
        for place in all { defaults.removeObject(forKey: place) }
        defaults.synchronize()
        state.withLock { state in
            state.soft = [:]
            for _ in all { state.statistics.removals.count(.cleared) }
        }
    }

    /// Lets go of the soft copies.
    func dropSoftCopies() {
        let old = state.withLock { state in
            defer { state.soft = [:] }
            return state.soft
        }
        withExtendedLifetime(old) {}
    }

    /// How many keys are kept.
    var count: Int { defaults.dictionaryRepresentation().keys.count { $0.hasPrefix(prefix) } }

    /// How many have a copy in memory.
    var softCount: Int { state.withLock { $0.soft.count } }

    var statistics: CacheStatistics { state.withLock { $0.statistics } }

    private func forget(_ key: [UInt8], _ cause: RemovalCause) {
        let defaults = defaults
        let isThere = defaults.object(forKey: place(key)) != nil
        defaults.removeObject(forKey: place(key))
        defaults.synchronize()
        state.withLock { state in
            state.soft[key] = nil
            if isThere { state.statistics.removals.count(cause) }
        }
    }

    private func drop(_ key: [UInt8], _ found: DiskStore.Found, _ cause: RemovalCause) -> DiskStore.Found {
        forget(key, cause)
        return counted(found)
    }

    private func counted(_ found: DiskStore.Found) -> DiskStore.Found {
        state.withLock {
            if case .record = found { $0.statistics.hits += 1 } else { $0.statistics.misses += 1 }
        }
        return found
    }
}
