// A value on its way through the levels of a cache, with what every level has to know about it: what it costs, until when
// it holds, and since when it is held. The lifetime travels with the value: a copy in another level ends at the same moment.

import Foundation

/// A value with its cost and its lifetime.
public struct CacheEntry<Value: Sendable>: Sendable {
    /// What is cached.
    public var value: Value
    /// What it costs, in the unit of the level's limit; `nil` lets each level count by its own measure.
    public var cost: Int?
    /// From this moment on the entry is a miss in every level; `nil` is never.
    public var expiry: Date?
    /// When a level first took it; `nil` before that. Later levels keep it.
    public var stored: Date?

    /// An entry.
    ///
    /// - Parameters:
    ///   - value: what is cached.
    ///   - cost: in the unit of the level's limit, for memory bytes by default; `nil` lets each level count.
    ///   - expiry: the moment from which it no longer holds; `nil` is never.
    ///   - stored: when it was first taken; `nil` lets the first level say.
    @inlinable public init(_ value: Value, cost: Int? = nil, expiry: Date? = nil, stored: Date? = nil) {
        self.value = value
        self.cost = cost
        self.expiry = expiry
        self.stored = stored
    }

    /// The same lifetime and cost around another value.
    ///
    /// - Parameter transform: makes the new value; what it throws is passed on.
    /// - Returns: an entry without a cost when the cost was one of the old value only, that is always: levels count anew.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> CacheEntry<Other> {
        CacheEntry<Other>(try transform(value), expiry: expiry, stored: stored)
    }

    /// Whether the entry is over at `moment`: at its expiry it is.
    @inlinable public func isExpired(at moment: Date) -> Bool {
        guard let expiry else { return false }
        return moment >= expiry
    }
}

extension CacheEntry: Equatable where Value: Equatable {}

extension CacheEntry: CustomStringConvertible {
    /// The value, and the lifetime where there is one.
    public var description: String {
        guard let expiry else { return "\(value), does not expire" }
        return "\(value), expires \(expiry)"
    }
}
