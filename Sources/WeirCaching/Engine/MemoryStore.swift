// The map behind a memory level: bounded by cost, safe from any thread. The index is cut into shards with a lock each, so a
// hit touches one shard only. The eviction rules (S3FIFO.swift) have one lock of their own, taken before any shard's, and
// every change of what is held happens under it: miss counts are exact. Values, keys and listeners are let go outside.

import Foundation
import Weir

/// A key with its hash, which is computed once: it picks the shard and serves every look-up.
@usableFromInline struct HashedKey<Key: Hashable & Sendable>: Equatable, Sendable {
    @usableFromInline let key: Key
    @usableFromInline let hash: Int

    @inlinable init(_ key: Key) {
        self.key = key
        hash = key.hashValue
    }
    @inlinable static func == (left: Self, right: Self) -> Bool { left.hash == right.hash && left.key == right.key }
}

/// A bounded map that evicts by S3-FIFO.
@usableFromInline final class MemoryStore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = CacheEntry<Value>
    @usableFromInline typealias Listener = @Sendable (Key, Entry, RemovalCause) -> Void

    /// What a look-up found.
    @usableFromInline enum Found { case hit(Entry), absent, expired }

    @usableFromInline struct Rules {
        @usableFromInline var queues: S3FIFO
        @usableFromInline var limit: Int
        @usableFromInline var removals = RemovalCounts()
        @usableFromInline init(limit: Int) {
            self.limit = limit
            queues = S3FIFO(capacity: limit)
        }
    }

    @usableFromInline let rules: Lock<Rules>
    @usableFromInline let shards: [MemoryShard<Key, Value>]
    @usableFromInline let mask: Int
    @usableFromInline let now: @Sendable () -> Date
    @usableFromInline let listener: Listener?

    /// - Parameters:
    ///   - limit: the most that all entries may cost together; zero or less refuses every entry. Half of what an `Int`
    ///     holds at most, so that no sum of two costs overflows.
    ///   - shards: a power of two.
    @inlinable init(limit: Int, shards: Int = 32, now: @escaping @Sendable () -> Date, listener: Listener?) {
        rules = Lock(Rules(limit: Self.possible(limit)))
        self.shards = (0..<shards).map { _ in MemoryShard() }
        mask = shards - 1
        self.now = now
        self.listener = listener
    }

    @inlinable static func possible(_ limit: Int) -> Int { min(max(0, limit), Int.max / 2) }

    @inlinable func shard(of key: HashedKey<Key>) -> Int { key.hash & mask }

    /// What is held under a key; a hit counts for its survival.
    @inlinable func find(_ key: Key) -> Found {
        let key = HashedKey(key)
        guard let entry = shards[shard(of: key)].state.withLock({ $0.hit(key) }) else { return .absent }
        guard entry.expiry != nil else { return .hit(entry) }
        let moment = now()
        guard entry.isExpired(at: moment) else { return .hit(entry) }
        expire(key, at: moment)
        return .expired
    }

    /// The same, but what is not there is neither counted as a miss nor taken out as expired.
    @inlinable func peek(_ key: Key) -> Entry? {
        let key = HashedKey(key)
        let shard = shards[shard(of: key)]
        guard let entry = shard.state.withLock({ $0.hit(key, countingMisses: 0) }) else { return nil }
        guard entry.expiry != nil, entry.isExpired(at: now()) else { return entry }
        shard.state.withLock { $0.hits &-= 1 }
        return nil
    }

    /// Takes an entry; answers false, changing nothing, where its cost is over the limit.
    @inlinable func insert(_ entry: Entry, cost: Int, forKey key: Key) -> Bool {
        let cost = max(1, cost)
        let key = HashedKey(key)
        var gone = Removed<Key, Value>()
        let isTaken = rules.withLock { rules in
            guard cost <= rules.limit else { return false }
            let home = shard(of: key)
            switch shards[home].state.withLock({ $0.presence(of: key) }) {
            case .held(let slot, let node):
                replace(slot, node, with: entry, cost: cost, in: home, &rules, &gone)
            case .remembered(let slot, let node):
                rules.queues.takeFromGhost(node)
                makeRoom(for: cost, &rules, &gone)
                rules.queues.readmit(node, cost: cost)
                shards[home].state.withLock { $0.revive(slot, with: entry) }
            case .absent:
                makeRoom(for: cost, &rules, &gone)
                shards[home].state.withLock { shard in
                    let slot = shard.add(key, entry)
                    let place = S3FIFO.Place(shard: Int32(home), slot: slot)
                    shard.slots[Int(slot)].node = rules.queues.admit(cost: cost, at: place)
                }
            }
            return true
        }
        gone.tell(listener)
        return isTaken
    }

    /// The most that all entries may cost together; a lower one evicts before it returns.
    @usableFromInline var limit: Int {
        get { rules.withLock { $0.limit } }
        set {
            var gone = Removed<Key, Value>()
            rules.withLock { rules in
                rules.limit = Self.possible(newValue)
                let limit = rules.limit
                evicting(&rules.queues, &rules.removals, &gone) { queues, ask in queues.resize(to: limit, ask: ask) }
            }
            gone.tell(listener)
        }
    }

    /// Takes a key out; an absent key is none the worse.
    @inlinable func remove(_ key: Key) {
        take(HashedKey(key), .removed) { _ in true }
    }

    /// Takes everything out and forgets what it knew: the store is as new.
    @inlinable func clear(_ cause: RemovalCause) {
        var gone = Removed<Key, Value>()
        rules.withLock { rules in
            for shard in shards {
                let old = shard.state.withLock { $0.empty() }
                for slot in old {
                    guard let key = slot.key else { continue }
                    gone.add(key, slot.entry, cause, &rules.removals)
                }
            }
            rules.queues = S3FIFO(capacity: rules.limit)
        }
        gone.tell(listener)
    }

    /// What the entries cost together.
    @inlinable var used: Int { rules.withLock { $0.queues.used } }

    /// Entries held.
    @inlinable var count: Int { shards.reduce(0) { sum, shard in sum + shard.state.withLock { $0.held } } }

    /// Hits, misses and removals since the store was made.
    @inlinable var statistics: CacheStatistics {
        var answer = CacheStatistics()
        for shard in shards {
            shard.state.withLock {
                answer.hits += $0.hits
                answer.misses += $0.misses
            }
        }
        answer.removals = rules.withLock { $0.removals }
        return answer
    }
}

extension MemoryStore {
    /// Takes an entry out whose time was over at `moment`, unless another one took its place meanwhile.
    @inlinable func expire(_ key: HashedKey<Key>, at moment: Date) {
        shards[shard(of: key)].state.withLock {
            $0.hits -= 1
            $0.misses += 1
        }
        take(key, .expired) { $0.isExpired(at: moment) }
    }

    @inlinable func take(_ key: HashedKey<Key>, _ cause: RemovalCause, where matches: (Entry) -> Bool) {
        var gone = Removed<Key, Value>()
        rules.withLock { rules in
            let shard = shards[shard(of: key)]
            guard let (node, entry) = shard.state.withLock({ $0.take(key, where: matches) }) else { return }
            rules.queues.forget(node)
            gone.add(key, entry, cause, &rules.removals)
        }
        gone.tell(listener)
    }

    /// A replaced entry keeps its place and its hits where the new one fits; else it leaves, and a newcomer enters.
    @inlinable func replace(
        _ slot: Int32, _ node: Int32, with entry: Entry, cost: Int, in home: Int, _ rules: inout Rules,
        _ gone: inout Removed<Key, Value>
    ) {
        if rules.queues.used - rules.queues.cost(of: node) <= rules.limit - cost {
            rules.queues.reprice(node, cost: cost)
            let (key, old) = shards[home].state.withLock { $0.swap(slot, entry) }
            if let key { gone.add(key, old, .replaced, &rules.removals) }
            return
        }
        let taken = shards[home].state.withLock { $0.vacate(slot) }
        rules.queues.forget(node)
        guard let key = taken.key else { return }
        gone.add(key, taken.entry, .replaced, &rules.removals)
        makeRoom(for: cost, &rules, &gone)
        shards[home].state.withLock { shard in
            let slot = shard.add(key, entry)
            shard.slots[Int(slot)].node = rules.queues.admit(cost: cost, at: .init(shard: Int32(home), slot: slot))
        }
    }

    @inlinable func makeRoom(for cost: Int, _ rules: inout Rules, _ gone: inout Removed<Key, Value>) {
        evicting(&rules.queues, &rules.removals, &gone) { queues, ask in queues.makeRoom(for: cost, ask: ask) }
    }

    /// Runs what may evict, and takes what it evicts out of the shards.
    @inlinable func evicting(
        _ queues: inout S3FIFO, _ removals: inout RemovalCounts, _ gone: inout Removed<Key, Value>,
        _ run: (inout S3FIFO, (S3FIFO.Place, S3FIFO.Question) -> Bool) -> Void
    ) {
        let shards = self.shards
        run(&queues) { place, question in
            let taken = shards[Int(place.shard)].state.withLock { $0.answer(question, place.slot) }
            guard let taken else { return true }
            if let key = taken.key { gone.add(key, taken.entry, .evicted, &removals) }
            return false
        }
    }
}
