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

    /// What a flight is for: gets share with gets, and loads anew with loads anew.
    @usableFromInline struct Errand: Hashable, Sendable {
        @usableFromInline let key: Key
        @usableFromInline let isReload: Bool
        @inlinable init(key: Key, isReload: Bool) {
            self.key = key
            self.isReload = isReload
        }
    }

    @usableFromInline final class Pool: Sendable {
        @usableFromInline let flights = Lock<[Errand: Flight]>([:])
        @usableFromInline let joined = Tally()
        @usableFromInline let gate = WorkGate()
        @inlinable init() {}
    }

    /// Joins the get of this key that is under way, or begins one.
    @inlinable public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { join(Errand(key: key, isReload: false)).gated(by: pool.gate) })
    }

    /// Joins the load anew of this key that is under way, or begins one.
    public func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.deferred { join(Errand(key: key, isReload: true)) }.gated(by: pool.gate)
    }

    /// What the level inside has at hand.
    @inlinable public func held(_ key: Key) -> CacheEntry<Value>? { pool.gate.isOpen ? base.held(key) : nil }

    /// Passes through. Gets from now on do not join a load that began before.
    public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        write(key, base.set(entry, forKey: key))
    }

    /// Passes through. Gets from now on do not join a load that began before.
    public func remove(_ key: Key) -> Observable<Never, CacheError> { write(key, base.remove(key)) }

    /// Passes through. Gets from now on do not join a load that began before.
    public func clear() -> Observable<Never, CacheError> { write(nil, base.clear()) }

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

    @inlinable func join(_ errand: Errand) -> Stream {
        // A key that is not equal to itself would board, and never leave.
        guard errand.key == errand.key else { return ask(errand) }
        if let flight = pool.flights.withLock({ $0[errand] }) { return board(flight, errand) }
        // Made outside the lock, since making it is the base's own code; kept only where nobody was faster.
        let new = flight(errand)
        let faster = pool.flights.withLock { flights -> Flight? in
            if let flight = flights[errand] { return flight }
            flights[errand] = new
            return nil
        }
        return faster.map { board($0, errand) } ?? new.stream
    }

    @inlinable func ask(_ errand: Errand) -> Stream {
        errand.isReload ? base.reload(errand.key) : base.entry(errand.key)
    }

    @inlinable func flight(_ errand: Errand) -> Flight {
        let ticket = Ticket()
        let load = ask(errand).orNotFound().finally { leave(errand, ticket) }
        // Who found the flight and subscribes after its end connects it anew: that get belongs to the next flight.
        let stream = Stream.deferred {
            if ticket.uses.add() == 1 { return load }
            leave(errand, ticket)
            return join(errand)
        }
        return Flight(ticket: ticket, stream: stream.share(replay: 1))
    }

    /// Waits with the others. Who comes in the instant of the end sees the end only, and asks again.
    @inlinable func board(_ flight: Flight, _ errand: Errand) -> Stream {
        pool.joined.add()
        return flight.stream.concat(.deferred { join(errand) }).prefix(1)
    }

    private func write(_ key: Key?, _ command: Observable<Never, CacheError>) -> Observable<Never, CacheError> {
        Observable.deferred {
            abandon(key)
            return command.finally { abandon(key) }
        }.gated(by: pool.gate)
    }

    /// Lets the flights of a key, or all, end without newcomers: what they bring may be older than what was written. At
    /// the begin of a write for loads before it, at its end for those that began beside it.
    private func abandon(_ key: Key?) {
        let gone = pool.flights.withLock { flights -> [Flight?] in
            guard let key else {
                defer { flights = [:] }
                return Array(flights.values)
            }
            return [false, true].map { flights.removeValue(forKey: Errand(key: key, isReload: $0)) }
        }
        _ = gone
    }

    @inlinable func leave(_ errand: Errand, _ ticket: Ticket) {
        let gone = pool.flights.withLock { flights in
            flights[errand]?.ticket === ticket ? flights.removeValue(forKey: errand) : nil
        }
        _ = gone
    }
}
