// One part of a memory store's index: keys to slots, and in the slots the entries and their hits. A key that only ghost
// remembers has a slot without an entry, so one look-up tells held, remembered and absent apart.

import Weir

/// One shard: a lock around its state. It is a class so that shards can stand in an array.
@usableFromInline final class MemoryShard<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let state = Lock(State())
    @inlinable init() {}

    @usableFromInline struct Slot: Sendable {
        @usableFromInline var key: HashedKey<Key>?
        @usableFromInline var entry: CacheEntry<Value>?
        @usableFromInline var frequency: UInt8 = 0
        @usableFromInline var node: Int32 = -1
        @inlinable init(key: HashedKey<Key>?, entry: CacheEntry<Value>?) {
            self.key = key
            self.entry = entry
        }
    }

    /// Where a key stands.
    @usableFromInline enum Presence {
        case held(slot: Int32, node: Int32)
        case remembered(slot: Int32, node: Int32)
        case absent
    }

    @usableFromInline struct State: Sendable {
        @usableFromInline var index = SlotIndex()
        @usableFromInline var slots: ContiguousArray<Slot> = []
        @usableFromInline var free: [Int32] = []
        @usableFromInline var held = 0
        @usableFromInline var hits = 0
        @usableFromInline var misses = 0
        @inlinable init() {}
    }
}

extension MemoryShard.State {
    /// The slot of a key, held or remembered.
    @inlinable func slot(of key: HashedKey<Key>) -> Int32? {
        index.find(SlotIndex.tag(key.hash)) { slots[Int($0)].key == key }
    }

    /// The entry, with one more hit to its name (three at most).
    @inlinable mutating func hit(_ key: HashedKey<Key>, countingMisses step: Int = 1) -> CacheEntry<Value>? {
        guard let slot = slot(of: key), let entry = slots[Int(slot)].entry else {
            misses &+= step
            return nil
        }
        if slots[Int(slot)].frequency < 3 { slots[Int(slot)].frequency &+= 1 }
        hits &+= 1
        return entry
    }

    @inlinable func presence(of key: HashedKey<Key>) -> MemoryShard<Key, Value>.Presence {
        guard let slot = slot(of: key) else { return .absent }
        let node = slots[Int(slot)].node
        return slots[Int(slot)].entry == nil ? .remembered(slot: slot, node: node) : .held(slot: slot, node: node)
    }

    /// Puts an unknown key in.
    @inlinable mutating func add(_ key: HashedKey<Key>, _ entry: CacheEntry<Value>) -> Int32 {
        held &+= 1
        let new = MemoryShard<Key, Value>.Slot(key: key, entry: entry)
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            slots[Int(slot)] = new
        } else {
            slot = Int32(slots.count)
            slots.append(new)
        }
        index.insert(slot, SlotIndex.tag(key.hash))
        return slot
    }

    /// Gives a remembered key an entry again.
    @inlinable mutating func revive(_ slot: Int32, with entry: CacheEntry<Value>) {
        held &+= 1
        slots[Int(slot)].entry = entry
        slots[Int(slot)].frequency = 0
    }

    /// Gives a held key another entry and hands out the old one.
    @inlinable mutating func swap(
        _ slot: Int32, _ entry: CacheEntry<Value>
    ) -> (HashedKey<Key>?, CacheEntry<Value>?) {
        let old = slots[Int(slot)].entry
        slots[Int(slot)].entry = entry
        return (slots[Int(slot)].key, old)
    }

    /// Takes a held key out where its entry matches.
    @inlinable mutating func take(
        _ key: HashedKey<Key>, where matches: (CacheEntry<Value>) -> Bool
    ) -> (node: Int32, entry: CacheEntry<Value>)? {
        guard let slot = slot(of: key), let entry = slots[Int(slot)].entry, matches(entry) else { return nil }
        return (vacate(slot).node, entry)
    }

    /// Empties a slot and hands out what was in it.
    @inlinable mutating func vacate(_ slot: Int32) -> MemoryShard<Key, Value>.Slot {
        let old = slots[Int(slot)]
        if old.entry != nil { held &-= 1 }
        if let key = old.key { index.remove(slot, SlotIndex.tag(key.hash)) }
        slots[Int(slot)] = .init(key: nil, entry: nil)
        free.append(slot)
        return old
    }

    /// Answers what the eviction rules ask: nil where the slot stays, else what leaves it.
    @inlinable mutating func answer(_ question: S3FIFO.Question, _ slot: Int32) -> MemoryShard<Key, Value>.Slot? {
        switch question {
        case .leaveMain:
            if slots[Int(slot)].frequency > 0 {
                slots[Int(slot)].frequency &-= 1
                return nil
            }
            return vacate(slot)
        case .leaveSmall:
            if slots[Int(slot)].frequency >= 2 { return nil }
            let old = slots[Int(slot)]
            slots[Int(slot)].entry = nil
            held &-= 1
            return old
        case .leaveGhost:
            return vacate(slot)
        }
    }

    /// Takes everything out.
    @inlinable mutating func empty() -> ContiguousArray<MemoryShard<Key, Value>.Slot> {
        defer {
            index = SlotIndex()
            slots = []
            free = []
            held = 0
        }
        return slots
    }
}
