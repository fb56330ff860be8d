// pooled: gets of one key at one time share one load.

import Foundation
import Weir

extension CacheLevel {
    /// Lets gets of one key that overlap in time share one: the first begins it, the others wait for its answer.
    ///
    /// One of them cancelled leaves the others waiting; all of them cancelled cancel it. A failure is everybody's, and the
    /// next get begins anew. `set`, `remove`, `clear` and memory pressure pass through.
    @inlinable public func pooled() -> Pooled<Self> { Pooled(base: self) }
}

/// A level whose simultaneous gets of one key are one.
public struct Pooled<Base: CacheLevel>: CacheLevel {
    /// What is asked for.
    public typealias Key = Base.Key
    /// What is cached.
    public typealias Value = Base.Value
    @usableFromInline typealias Stream = Observable<CacheEntry<Value>, CacheError>

    @usableFromInline let base: Base
    @usableFromInline let pool = Pool()

    @inlinable init(base: Base) { self.base = base }

    /// A get under way.
    @usableFromInline struct Flight: Sendable {
        @usableFromInline let ticket: Ticket
        @usableFromInline let stream: Stream
        @inlinable init(ticket: Ticket, stream: Stream) {
            self.ticket = ticket
            self.stream = stream
        }
    }

    /// Tells flights apart, and the first subscription of a flight from a later one.
    @usableFromInline final class Ticket: Sendable {
        @usableFromInline let uses = Tally()
        @inlinable init() {}
    }

    @usableFromInline final class Pool: Sendable {
        @usableFromInline let flights = Lock<[Key: Flight]>([:])
        @usableFromInline let joined = Tally()
        @usableFromInline let gate = WorkGate()
        @inlinable init() {}
    }

    /// Joins the get of this key that is under way, or begins one.
    @inlinable public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { join(key).gated(by: pool.gate) })
    }

    /// What the level inside has at hand.
    @inlinable public func held(_ key: Key) -> CacheEntry<Value>? { pool.gate.isOpen ? base.held(key) : nil }

    /// Passes through.
    @inlinable public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        base.set(entry, forKey: key).gated(by: pool.gate)
    }

    /// Passes through.
    @inlinable public func remove(_ key: Key) -> Observable<Never, CacheError> {
        base.remove(key).gated(by: pool.gate)
    }

    /// Passes through.
    @inlinable public func clear() -> Observable<Never, CacheError> { base.clear().gated(by: pool.gate) }

    /// Passes through.
    @inlinable public func onMemoryPressure(_ pressure: MemoryPressureLevel) { base.onMemoryPressure(pressure) }

    /// Itself, then the level inside.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await pool.gate.close(within: time, on: scheduler, then: base)
    }

    /// The counts of the level inside, and how many gets joined another one's.
    public var statistics: CacheStatistics {
        var statistics = base.statistics
        statistics.joined += pool.joined.value
        return statistics
    }

    /// The level inside with the limit to age, pooled.
    public func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value> {
        AnyLevel(base.expiring(after: life, now: now).pooled())
    }

    /// How many gets are under way.
    var underWay: Int { pool.flights.withLock { $0.count } }

    @inlinable func join(_ key: Key) -> Stream {
        // A key that is not equal to itself would board, and never leave.
        guard key == key else { return base.entry(key) }
        if let flight = pool.flights.withLock({ $0[key] }) { return board(flight, key) }
        // Made outside the lock, since making it is the base's own code; kept only where nobody was faster.
        let new = flight(key)
        let faster = pool.flights.withLock { flights -> Flight? in
            if let flight = flights[key] { return flight }
            flights[key] = new
            return nil
        }
        return faster.map { board($0, key) } ?? new.stream
    }

    @inlinable func flight(_ key: Key) -> Flight {
        let ticket = Ticket()
        let load = base.entry(key).orNotFound().finally { leave(key, ticket) }
        // Who found the flight and subscribes after its end connects it anew: that get belongs to the next flight.
        let stream = Stream.deferred {
            if ticket.uses.add() == 1 { return load }
            leave(key, ticket)
            return join(key)
        }
        return Flight(ticket: ticket, stream: stream.share(replay: 1))
    }

    /// Waits with the others. Who comes in the instant of the end sees the end only, and asks again.
    @inlinable func board(_ flight: Flight, _ key: Key) -> Stream {
        pool.joined.add()
        return flight.stream.concat(.deferred { join(key) }).prefix(1)
    }

    @inlinable func leave(_ key: Key, _ ticket: Ticket) {
        let gone = pool.flights.withLock { flights in
            flights[key]?.ticket === ticket ? flights.removeValue(forKey: key) : nil
        }
        _ = gone
    }
}
