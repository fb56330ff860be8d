// batch, batchSome: a level over lists of keys, made of one over keys.

import Foundation
import Weir

extension CacheLevel {
    /// The same level over lists of keys: all their values in the order of the keys, or the first failure, which cancels the
    /// rest. No keys give `[]`; a key that is repeated is loaded once and answered at each of its places.
    ///
    /// `set` pairs keys with values (of a repeated key the last one counts) and fails with `unequalCounts` where their
    /// numbers differ; `remove` removes all keys; both try all, and fail if one fails. The gets of a list run at one time:
    /// put `limited(maxConcurrent:)` below where that is too much. The lifetime of an answer is the shortest of its entries.
    public func batch() -> some CacheLevel<[Key], [Value]> { Batch(base: self, isPartial: false) }

    /// The same, but a list is answered with the values that there are, in the order of the keys: what fails is left out.
    public func batchSome() -> some CacheLevel<[Key], [Value]> { Batch(base: self, isPartial: true) }
}

struct Batch<Base: CacheLevel>: Wrapper {
    typealias Key = [Base.Key]
    typealias Value = [Base.Value]
    let base: Base
    let isPartial: Bool
    let gate = WorkGate()

    func entry(_ keys: Key) -> Observable<CacheEntry<Value>, CacheError> { collect(keys) { base.entry($0) } }
    func reload(_ keys: Key) -> Observable<CacheEntry<Value>, CacheError> { collect(keys) { base.reload($0) } }

    func set(_ entry: CacheEntry<Value>, forKey keys: Key) -> Observable<Never, CacheError> {
        guard keys.count == entry.value.count else {
            return .fail(.unequalCounts(keys: keys.count, values: entry.value.count))
        }
        let places = Places(keys)
        let last = Dictionary(Swift.zip(places.of, entry.value)) { _, last in last }
        let commands = places.keys.indices.compactMap { place in
            last[place].map { value in base.set(entry.map { _ in value }, forKey: places.keys[place]) }
        }
        return .all(commands).gated(by: gate)
    }

    func remove(_ keys: Key) -> Observable<Never, CacheError> {
        .all(Places(keys).keys.map { base.remove($0) }).gated(by: gate)
    }

    func around<Other: CacheLevel<Base.Key, Base.Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(Batch<Other>(base: other, isPartial: isPartial))
    }

    /// Each key once, and at which place of those each key of a list stands.
    private struct Places {
        var keys: [Base.Key] = []
        var of: [Int] = []

        init(_ list: [Base.Key]) {
            var places: [Base.Key: Int] = [:]
            for key in list {
                let place = places[key] ?? keys.count
                if place == keys.count {
                    places[key] = place
                    keys.append(key)
                }
                of.append(place)
            }
        }
    }

    private func collect(
        _ list: Key, _ ask: @escaping @Sendable (Base.Key) -> Observable<CacheEntry<Base.Value>, CacheError>
    ) -> Observable<CacheEntry<Value>, CacheError> {
        Observable.deferred {
            let places = Places(list)
            let answers = places.keys.map { key -> Observable<CacheEntry<Base.Value>?, CacheError> in
                let answer = ask(key).orNotFound().map(Optional.some)
                return isPartial ? answer.catch { _ in .just(nil) } : answer
            }
            return zip(answers).map { found in Self.entry(places.of.compactMap { found[$0] }) }
        }.gated(by: gate)
    }

    private static func entry(_ entries: [CacheEntry<Base.Value>]) -> CacheEntry<Value> {
        CacheEntry(
            entries.map(\.value), expiry: entries.lazy.compactMap(\.expiry).min(),
            stored: entries.lazy.compactMap(\.stored).min())
    }
}

extension Observable where Element == Never, Failure == CacheError {
    /// All commands at one time; fails with the first failure in their order, having tried all.
    static func all(_ commands: [Self]) -> Self {
        let ends = commands.map { command -> Observable<CacheError?, CacheError> in
            command.then(.just(nil)).catch { .just($0) }
        }
        return Weir.zip(ends).flatMap { (errors: [CacheError?]) -> Observable<Never, CacheError> in
            guard let error = errors.lazy.compactMap({ $0 }).first else { return .empty() }
            return .fail(error)
        }
    }
}
