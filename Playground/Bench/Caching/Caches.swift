// Caches: a memory level by itself and on top of others, and a disk level with values of 10 KB.

import Foundation
import Weir
import WeirCaching

let cachingRows = memoryRows + composedRows + diskRows

private let operations = 200_000

/// Twice as many keys as fit, of the length that names of files and URLs have.
enum CacheKeys {
    static let held = 10_000
    static let all = (0..<2 * held).map { "photos/album-\($0 % 97)/\($0).jpg" }
    static let inside = Array(all[..<held]).shuffled()
    static let outside = Array(all[held...])

    /// Asks for one key after the other, so many times, and counts the answers.
    @inline(__always) static func hits(_ keys: [String], _ count: Int, _ isThere: (String) -> Bool) -> Int {
        var hits = 0
        for round in 0..<count where isThere(keys[round % keys.count]) { hits &+= 1 }
        return hits
    }
}

private func filled() -> MemoryLevel<String, Int> {
    let level = MemoryLevel<String, Int>(limit: CacheKeys.held, cost: { _ in 1 })
    for key in CacheKeys.inside { try? level.insert(CacheEntry(1), forKey: key) }
    return level
}

private let memoryRows: [Row] = [
    Row("memory, hit", per: "get", units: operations, bar: .memoryHit, expected: operations) {
        let level = filled()
        return { CacheKeys.hits(CacheKeys.inside, operations) { level.held($0) != nil } }
    },
    Row("memory, miss", per: "get", units: operations, bar: .memoryMiss, expected: 0) {
        let level = filled()
        return { CacheKeys.hits(CacheKeys.outside, operations) { level.held($0) != nil } }
    },
    Row("memory, insert with eviction", per: "set", units: operations, bar: .memoryInsert, expected: CacheKeys.held) {
        let level = filled()
        let keys = CacheKeys.all
        return {
            for round in 0..<operations { try? level.insert(CacheEntry(round), forKey: keys[round % keys.count]) }
            return level.count
        }
    },
    Row(
        "memory, hit from 2 threads", per: "get", units: 2 * operations, time: .wall, bar: .memoryHitTwoThreads,
        expected: operations
    ) {
        let level = filled()
        return {
            let other = Worker { _ = CacheKeys.hits(CacheKeys.inside, operations) { level.held($0) != nil } }
            let own = CacheKeys.hits(CacheKeys.inside, operations) { level.held($0) != nil }
            other.join()
            return own
        }
    },
]

private let composedRows: [Row] = [
    Row("memory, hit by an async get", per: "get", units: operations, time: .process, expected: operations) {
        let level = filled()
        return { asyncHits(of: level) }
    },
    Row(
        "memory, disk and a fetcher, hit in memory", per: "get", units: operations, time: .process, bar: .composedHit,
        expected: operations
    ) {
        let cache = filled().compose(DiskLevel(directory: BenchFolder.url, limit: 1_000_000))
            .compose(Fetcher { (_: String) async throws -> Int in 1 })
        return { asyncHits(of: cache) }
    },
]

private func asyncHits(of level: some CacheLevel<String, Int>) -> Int {
    wait {
        let keys = CacheKeys.inside
        var hits = 0
        for round in 0..<operations where (try? await level.value(forKey: keys[round % keys.count])) != nil {
            hits &+= 1
        }
        return hits
    }
}

private let diskRows: [Row] = [
    // One after the other on the level's own queue, so that no thread is woken for each. It has no bar yet: the aim is 12 µs,
    // 23 were measured on two cores at load 8, where open and read alone took 3.5.
    Row("disk, read of 10 KB", per: "get", units: 2_000, time: .process, expected: 2_000) {
        let level = DiskLevel<Int, Data>(directory: BenchFolder.url.appending(path: "read"), limit: 10_000_000)
        _ = writes(to: level, 100)
        return {
            wait {
                let sizes = Observable<Int, CacheError>(0..<2_000)
                    .flatMap(maxConcurrent: 1) { level.get($0 % 100) }.map { $0.count }
                return ((try? await sizes.collect()) ?? []).count { $0 == 10_000 }
            }
        }
    },
    Row("disk, read of 10 KB by an async get", per: "get", units: 2_000, time: .wall, expected: 2_000) {
        let level = DiskLevel<Int, Data>(directory: BenchFolder.url.appending(path: "async"), limit: 10_000_000)
        _ = writes(to: level, 100)
        return {
            wait {
                var found = 0
                for round in 0..<2_000 where (try? await level.value(forKey: round % 100))?.count == 10_000 {
                    found += 1
                }
                return found
            }
        }
    },
    Row("disk, write of 10 KB", per: "set", units: 1_000, time: .wall, bar: .diskWrite, expected: 1_000) {
        let level = DiskLevel<Int, Data>(directory: BenchFolder.url.appending(path: "write"), limit: 10_000_000)
        _ = writes(to: level, 100)
        return { writes(to: level, 1_000) }
    },
]

private func writes(to level: DiskLevel<Int, Data>, _ count: Int) -> Int {
    wait {
        let data = Data(repeating: 7, count: 10_000)
        var written = 0
        for round in 0..<count {
            do {
                try await level.set(data, forKey: round % 100)
                written += 1
            } catch {}
        }
        return written
    }
}

/// A folder for this run, deleted at its end.
enum BenchFolder {
    static let url: URL = {
        let url = FileManager.default.temporaryDirectory.appending(path: "weir-bench-\(getpid())")
        atexit { try? FileManager.default.removeItem(at: BenchFolder.url) }
        return url
    }()
}
