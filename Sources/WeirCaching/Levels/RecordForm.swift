import Foundation
import Weir

/// How a level that keeps records makes one of an entry, and an entry of one.
struct RecordForm<Key: CacheKey, Value: Sendable>: Sendable {
    let now: @Sendable () -> Date
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    /// Now, as records count it.
    var moment: Int64 { now().nanoseconds }

    func record(_ entry: CacheEntry<Value>, _ key: Key) throws(CacheError) -> DiskRecord {
        let data: Data
        do { data = try encode(entry.value) } catch { throw .transform(error) }
        return DiskRecord(
            key: key.cacheBytes, value: data, created: (entry.stored ?? now()).nanoseconds,
            expires: entry.expiry?.nanoseconds)
    }

    func entry(of record: DiskRecord) throws(CacheError) -> CacheEntry<Value> {
        do {
            return CacheEntry(
                try decode(record.value), expiry: record.expires.map { Date(nanoseconds: $0) },
                stored: Date(nanoseconds: record.created))
        } catch {
            throw .transform(error)
        }
    }

    func entry(of found: DiskStore.Found, _ key: Key) throws(CacheError) -> CacheEntry<Value> {
        switch found {
        case .absent: throw .notFound
        case .expired: throw .expired
        case .damaged: throw .corrupt(key: "\(key)")
        case .failed(let failure): throw .underlying(failure)
        case .record(let record): return try entry(of: record)
        }
    }
}
