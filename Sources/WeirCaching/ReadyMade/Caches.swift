// Caches that are made already: data and JSON by URL, in memory, on disk and from the network.

import Foundation
import Weir
import WeirSupport

/// Data by URL in memory, then on disk, then from the network; one load for all who wait, and one write to disk for a load.
///
/// `Caches.shared` is one for the whole program. Others over the same folder share its files and nothing else.
public struct Caches: Sendable {
    /// The level in memory. Its limit may change at any time and holds at once.
    public let memory: MemoryLevel<URL, Data>
    /// The level on disk. Its limit may change at any time: `setLimit`.
    public let disk: DiskLevel<URL, Data>
    /// The cache of data.
    public let data: AnyLevel<URL, Data>

    /// The one of the whole program, with all defaults.
    public static let shared = Caches()

    /// New levels over a folder.
    ///
    /// - Parameters:
    ///   - memoryLimit: bytes in memory.
    ///   - diskLimit: bytes on disk, with keys and headers.
    ///   - directory: of the files; `Caches.directory()` by default.
    ///   - domain: keeps caches apart that share a folder.
    ///   - source: what is asked last.
    ///   - now: the wall clock that entries expire by.
    public init(
        memoryLimit: Int = 50_000_000, diskLimit: Int = 100_000_000, directory: URL = Caches.directory(),
        domain: String = "weir", source: some CacheLevel<URL, Data> = NetworkFetcher(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        memory = MemoryLevel(limit: memoryLimit, now: now)
        disk = DiskLevel(directory: directory, limit: diskLimit, domain: domain, now: now)
        data = AnyLevel(memory.compose(disk.compose(source).pooled()))
    }

    /// The cache of data, with new levels and all defaults.
    public static func data() -> AnyLevel<URL, Data> { Caches().data }

    /// The cache of JSON, with new levels and all defaults.
    public static func json() -> some CacheLevel<URL, JSONValue> { Caches().json }

    /// The same data as JSON.
    public var json: some CacheLevel<URL, JSONValue> { data.transformValues(.json()) }

    /// The same data as values of a type, which are read from JSON and written to it.
    ///
    /// - Parameters:
    ///   - type: of the values.
    ///   - coder: how keys and dates are written, and how long and deep the JSON may be.
    public func json<Model: Codable & Sendable>(
        as type: Model.Type, by coder: JSONCoder = JSONCoder()
    ) -> some CacheLevel<URL, Model> {
        data.transformValues(.json(as: type, by: coder))
    }

    /// The same data as values of a type that can only be read from JSON: a `set` fails with `transform`.
    ///
    /// - Parameters:
    ///   - type: of the values.
    ///   - coder: how keys and dates are written, and how long and deep the JSON may be.
    public func json<Model: Decodable & Sendable>(
        as type: Model.Type, by coder: JSONCoder = JSONCoder()
    ) -> some CacheLevel<URL, Model> {
        data.transformValues(
            TwoWay<Data, Model>(
                { try coder.decode(Model.self, from: $0) },
                inverse: { (_: Model) -> Data in throw TransformFailure.onlyDecodes("\(Model.self)") }))
    }

    /// Where files are kept by default: `weir` in a folder of the process's name, in `$XDG_CACHE_HOME` (XDG Base Directory
    /// Specification; `~/.cache` where it is not set or not absolute), on Apple systems in the user's Caches folder.
    public static func directory() -> URL {
        #if canImport(Darwin)
        let system: URL? =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        #else
        let system: URL? = nil
        #endif
        return directory(
            in: system, environment: ProcessInfo.processInfo.environment, process: ProcessInfo.processInfo.processName)
    }

    static func directory(in caches: URL?, environment: [String: String], process: String) -> URL {
        let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let usual = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".cache")
        return (caches ?? named ?? usual).appendingPathComponent(process).appendingPathComponent("weir")
    }
}

extension Caches: CustomStringConvertible {
    /// Both levels, as in `Caches(MemoryLevel(…), DiskLevel(…))`.
    public var description: String { "Caches(\(memory), \(disk))" }
}
