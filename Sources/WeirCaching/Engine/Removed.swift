// What left a memory store during one call. It is gathered under the locks and let go outside: the listener and the
// deinit of a value or key are foreign code. Two stand inline, since an insert into a full store drops an entry and, when
// that becomes a memory, an older one.

/// What one call took out.
@usableFromInline struct Removed<Key: Hashable & Sendable, Value: Sendable> {
    @usableFromInline struct One {
        @usableFromInline let key: HashedKey<Key>
        @usableFromInline let entry: CacheEntry<Value>?
        @usableFromInline let cause: RemovalCause
        @inlinable init(_ key: HashedKey<Key>, _ entry: CacheEntry<Value>?, _ cause: RemovalCause) {
            self.key = key
            self.entry = entry
            self.cause = cause
        }
    }

    @usableFromInline var first: One?
    @usableFromInline var second: One?
    @usableFromInline var more: [One] = []
    @inlinable init() {}

    /// Keeps what left, and counts it where it was an entry and not only a remembered key.
    @inlinable mutating func add(
        _ key: HashedKey<Key>, _ entry: CacheEntry<Value>?, _ cause: RemovalCause, _ counts: inout RemovalCounts
    ) {
        if entry != nil { counts.count(cause) }
        let one = One(key, entry, cause)
        if first == nil {
            first = one
        } else if second == nil {
            second = one
        } else {
            more.append(one)
        }
    }

    /// Tells the listener of each entry, in order.
    @inlinable func tell(_ listener: (@Sendable (Key, CacheEntry<Value>, RemovalCause) -> Void)?) {
        guard let listener, let first else { return }
        if let entry = first.entry { listener(first.key.key, entry, first.cause) }
        if let second, let entry = second.entry { listener(second.key.key, entry, second.cause) }
        for one in more {
            if let entry = one.entry { listener(one.key.key, entry, one.cause) }
        }
    }
}
