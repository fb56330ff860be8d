// The same work by hand: a locked dictionary with a list in the order of use, and files read and written directly.

import Foundation
import Synchronization

let cacheBaselineRows: [Row] = [
    Row("a locked dictionary with a list, hit", per: "get", units: operations, expected: operations) {
        let cache = filled()
        return { CacheKeys.hits(CacheKeys.inside, operations) { cache.get($0) != nil } }
    },
    Row("a locked dictionary with a list, miss", per: "get", units: operations, expected: 0) {
        let cache = filled()
        return { CacheKeys.hits(CacheKeys.outside, operations) { cache.get($0) != nil } }
    },
    Row("a locked dictionary with a list, insert", per: "set", units: operations, expected: CacheKeys.held) {
        let cache = filled()
        let keys = CacheKeys.all
        return {
            for round in 0..<operations { cache.set(keys[round % keys.count], round) }
            return cache.count
        }
    },
    Row("open and read of 10 KB", per: "file", units: 2_000, time: .wall, expected: 2_000) {
        let paths = HandFiles.write(100, to: "hand-read")
        return {
            var found = 0
            for round in 0..<2_000 where HandFiles.read(paths[round % paths.count]) == 10_000 { found += 1 }
            return found
        }
    },
    Row("write of 10 KB and rename", per: "file", units: 1_000, time: .wall, expected: 1_000) {
        { HandFiles.write(1_000, to: "hand-write").count }
    },
]

private let operations = 200_000

private func filled() -> HandCache {
    let cache = HandCache(limit: CacheKeys.held)
    for key in CacheKeys.inside { cache.set(key, 1) }
    return cache
}

/// A cache as people write it: one lock, a dictionary, and a list of nodes in the order of use.
private final class HandCache: Sendable {
    private final class Node {
        let key: String
        var value: Int
        unowned(unsafe) var older: Node?
        unowned(unsafe) var newer: Node?
        init(_ key: String, _ value: Int) { (self.key, self.value) = (key, value) }
    }
    private struct State: ~Copyable {
        var nodes: [String: Node] = [:]
        unowned(unsafe) var oldest: Node?
        unowned(unsafe) var newest: Node?

        mutating func unlink(_ node: Node) {
            if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
            if let newer = node.newer { newer.older = node.older } else { newest = node.older }
        }
        mutating func append(_ node: Node) {
            (node.older, node.newer) = (newest, nil)
            if let newest { newest.newer = node } else { oldest = node }
            newest = node
        }
    }
    private let state = Mutex(State())
    private let limit: Int
    init(limit: Int) { self.limit = limit }

    var count: Int { state.withLock { $0.nodes.count } }

    func get(_ key: String) -> Int? {
        state.withLock { state in
            guard let node = state.nodes[key] else { return nil }
            state.unlink(node)
            state.append(node)
            return node.value
        }
    }
    func set(_ key: String, _ value: Int) {
        state.withLock { state in
            if let node = state.nodes[key] {
                node.value = value
                state.unlink(node)
                state.append(node)
                return
            }
            if state.nodes.count >= limit, let oldest = state.oldest {
                state.unlink(oldest)
                state.nodes[oldest.key] = nil
            }
            let node = Node(key, value)
            state.nodes[key] = node
            state.append(node)
        }
    }
}

private enum HandFiles {
    static func read(_ path: String) -> Int {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return -1 }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 10_000) { buffer, count in
            count = max(0, Foundation.read(file, buffer.baseAddress, buffer.count))
        }
        return bytes.count
    }

    /// Writes to a hundred names, again and again.
    static func write(_ count: Int, to name: String) -> [String] {
        let folder = BenchFolder.url.appending(path: name)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = [UInt8](repeating: 7, count: 10_000)
        return (0..<count).compactMap { round in
            let path = "\(folder.path)/\(round % 100)"
            let file = open(path + ".tmp", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard file >= 0 else { return nil }
            let written = Foundation.write(file, bytes, bytes.count)
            close(file)
            return written == bytes.count && rename(path + ".tmp", path) == 0 ? path : nil
        }
    }
}
