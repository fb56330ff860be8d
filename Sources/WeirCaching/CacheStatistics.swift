// What a cache did since it was made: counted by the levels themselves, added up over a composed cache.

/// Why an entry left a level.
public enum RemovalCause: Int, Sendable, CaseIterable, CustomStringConvertible {
    /// Room was needed.
    case evicted
    /// Its time was over.
    case expired
    /// Another value came for its key.
    case replaced
    /// Somebody removed it.
    case removed
    /// Somebody cleared the level.
    case cleared
    /// The system was short of memory.
    case pressure
    /// It was damaged.
    case corrupt

    /// The case's name.
    public var description: String {
        switch self {
        case .evicted: "evicted"
        case .expired: "expired"
        case .replaced: "replaced"
        case .removed: "removed"
        case .cleared: "cleared"
        case .pressure: "pressure"
        case .corrupt: "corrupt"
        }
    }
}

/// How many entries left, by cause.
public struct RemovalCounts: Sendable, Equatable {
    @usableFromInline var counts: SIMD8<Int> = .zero

    /// None yet.
    @inlinable public init() {}

    /// How many left for this cause.
    @inlinable public subscript(cause: RemovalCause) -> Int { counts[cause.rawValue] }

    @inlinable mutating func count(_ cause: RemovalCause) { counts[cause.rawValue] &+= 1 }

    /// Both added up.
    public static func + (left: Self, right: Self) -> Self {
        var sum = Self()
        sum.counts = left.counts &+ right.counts
        return sum
    }
}

/// What a cache did since it was made.
public struct CacheStatistics: Sendable, Equatable {
    /// Gets that a level answered from what it holds.
    public var hits = 0
    /// Gets that no level could answer from what it holds.
    public var misses = 0
    /// Loads from a source: fetchers' calls that ended with a value or an error.
    public var loads = 0
    /// How long the loads took together.
    public var loadTime: Duration = .zero
    /// Gets that waited for another one's load (`pooled()`).
    public var joined = 0
    /// Entries that left a level, by cause.
    public var removals = RemovalCounts()

    /// Nothing done yet.
    public init() {}

    /// The counts of two levels that are asked for different keys.
    func beside(_ other: CacheStatistics) -> CacheStatistics {
        var sum = above(other)
        sum.misses += misses
        return sum
    }

    /// The counts of two levels, the first asked first: what the second answered, it answered for the first.
    func above(_ lower: CacheStatistics) -> CacheStatistics {
        var sum = self
        sum.hits += lower.hits
        sum.misses = lower.misses
        sum.loads += lower.loads
        sum.loadTime += lower.loadTime
        sum.joined += lower.joined
        sum.removals = removals + lower.removals
        return sum
    }
}

extension CacheStatistics: CustomStringConvertible {
    /// `hits 41, misses 3, loads 3`, and what else happened.
    public var description: String {
        var parts = ["hits \(hits)", "misses \(misses)", "loads \(loads)"]
        if joined > 0 { parts.append("joined \(joined)") }
        parts += RemovalCause.allCases.filter { removals[$0] > 0 }.map { "\($0) \(removals[$0])" }
        return parts.joined(separator: ", ")
    }
}
