// compose: one level above another. A hit below is written above; an error above is a miss and never hides a hit below.

import Foundation
import Weir

extension CacheLevel {
    /// Puts this level above another one.
    ///
    /// A get asks above first; where that fails, below, and writes what it finds above before it answers. A failed
    /// write-back goes to the log and does not fail the get. `set`, `remove` and `clear` go to both, above first, and fail
    /// if either fails, having tried both. What a load brings never overwrites a write that overlapped with it.
    ///
    /// - Parameter lower: the level that is asked second.
    @inlinable public func compose<Lower: CacheLevel>(_ lower: Lower) -> Composed<Self, Lower>
    where Lower.Key == Key, Lower.Value == Value {
        Composed(upper: self, lower: lower, ledger: LoadLedger())
    }
}

/// Two levels as one.
public struct Composed<Upper: CacheLevel, Lower: CacheLevel>: CacheLevel
where Upper.Key == Lower.Key, Upper.Value == Lower.Value {
    /// What both are asked for.
    public typealias Key = Upper.Key
    /// What both hold.
    public typealias Value = Upper.Value
    @usableFromInline typealias Entry = CacheEntry<Value>

    @usableFromInline let upper: Upper
    @usableFromInline let lower: Lower
    @usableFromInline let ledger: LoadLedger<Key>
    @usableFromInline let gate = WorkGate()

    @inlinable init(upper: Upper, lower: Lower, ledger: LoadLedger<Key>) {
        self.upper = upper
        self.lower = lower
        self.ledger = ledger
    }

    /// The entry from above, else from below.
    @inlinable public func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        .held({ held(key) }, else: { look(key, since: ledger.writes, again: true).gated(by: gate) })
    }

    /// The entry from below, loaded anew and written above.
    public func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.deferred {
            let load = ledger.begin(key, since: ledger.writes) ?? ledger.beginLate(key)
            return bring(key, load, from: lower.reload(key), after: .notFound)
        }.gated(by: gate)
    }

    /// What the level above has at hand.
    @inlinable public func held(_ key: Key) -> CacheEntry<Value>? { gate.isOpen ? upper.held(key) : nil }

    /// Stores above and below.
    @inlinable public func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        write(key, upper.set(entry, forKey: key).andAlways(lower.set(entry, forKey: key)))
    }

    /// Removes above and below.
    @inlinable public func remove(_ key: Key) -> Observable<Never, CacheError> {
        write(key, upper.remove(key).andAlways(lower.remove(key)))
    }

    /// Clears above and below.
    @inlinable public func clear() -> Observable<Never, CacheError> {
        write(nil, upper.clear().andAlways(lower.clear()))
    }

    /// Tells both.
    @inlinable public func onMemoryPressure(_ pressure: MemoryPressureLevel) {
        upper.onMemoryPressure(pressure)
        lower.onMemoryPressure(pressure)
    }

    /// Itself, then both, the one above first.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await gate.close(within: time, on: scheduler, then: upper, lower)
    }

    /// Both added up: what below answered counts as a hit, what below missed as a miss.
    public var statistics: CacheStatistics { upper.statistics.above(lower.statistics) }

    /// Both with the limit to age: the deadline is stored in each.
    public func expiring(after life: Duration, now: @escaping @Sendable () -> Date) -> AnyLevel<Key, Value> {
        let above = upper.expiring(after: life, now: now)
        let below = lower.expiring(after: life, now: now)
        return AnyLevel(
            Composed<AnyLevel<Key, Value>, AnyLevel<Key, Value>>(upper: above, lower: below, ledger: ledger))
    }
}

extension Composed {
    /// - Parameters:
    ///   - seen: the count of writes before the look above. Where it grew, a write may lie between that look and the
    ///     load, so the look is done anew.
    ///   - again: whether it may be.
    @inlinable func look(_ key: Key, since seen: Int, again: Bool) -> Observable<Entry, CacheError> {
        upper.entry(key).orNotFound().catch { error in
            if let load = ledger.begin(key, since: seen) {
                return bring(key, load, from: lower.entry(key), after: error)
            }
            if again { return look(key, since: ledger.writes, again: false) }
            return bring(key, ledger.beginLate(key), from: lower.entry(key), after: error)
        }
    }

    /// Asks below, writes above, answers.
    @inlinable func bring(
        _ key: Key, _ load: LoadLedger<Key>.Load, from source: Observable<Entry, CacheError>, after error: CacheError
    ) -> Observable<Entry, CacheError> {
        if !error.isMiss { reportUnawaited("\(key): a level above failed and counts as a miss", error) }
        return source.orNotFound()
            .flatMap { entry in
                guard ledger.mayWriteBack(load) else { return .just(entry) }
                return upper.set(entry, forKey: key)
                    .catch { error in
                        reportUnawaited("\(key): could not be written to a level above", error)
                        return .empty()
                    }
                    .finally { ledger.endWriteBack(load) }
                    .then(.just(entry))
            }
            .catch { lowerError in
                // The more telling of the two: what is broken over what is missing, what is over over what never was.
                .fail(lowerError.isMiss && !error.isNotFound ? error : lowerError)
            }
            .finally { ledger.end(load) }
    }

    @inlinable func write(_ key: Key?, _ commands: Observable<Never, CacheError>) -> Observable<Never, CacheError> {
        Observable<Never, CacheError>.create { emitter in ledger.beginWrite(key) { emitter.finish() } }
            .concat(commands)
            .finally { ledger.endWrite(key) }
            .gated(by: gate)
    }
}

extension CacheError {
    @usableFromInline var isNotFound: Bool { if case .notFound = self { true } else { false } }
}
