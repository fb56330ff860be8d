// logged: each call of a level as a message.

import Weir

extension CacheLevel {
    /// Sends a message to `WeirCaching.log` for each call and each answer: hits, misses and commands as `debug`, pressure as
    /// `info`, what failed otherwise as `warning`.
    ///
    /// - Parameter name: begins each message; the level's type where it is not given.
    public func logged(_ name: String? = nil) -> some CacheLevel<Key, Value> {
        Logged(base: self, name: name ?? "\(Self.self)")
    }
}

struct Logged<Base: CacheLevel>: Wrapper {
    typealias Key = Base.Key
    typealias Value = Base.Value
    let base: Base
    let name: String
    let gate = WorkGate()

    func entry(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.entry(key).orNotFound().noting("get \(key)", by: say).gated(by: gate)
    }

    func reload(_ key: Key) -> Observable<CacheEntry<Value>, CacheError> {
        base.reload(key).orNotFound().noting("reload \(key)", by: say).gated(by: gate)
    }

    func set(_ entry: CacheEntry<Value>, forKey key: Key) -> Observable<Never, CacheError> {
        said("set \(key)", base.set(entry, forKey: key))
    }

    func remove(_ key: Key) -> Observable<Never, CacheError> { said("remove \(key)", base.remove(key)) }
    func clear() -> Observable<Never, CacheError> { said("clear", base.clear()) }

    func onMemoryPressure(_ pressure: MemoryPressureLevel) {
        say("pressure \(pressure)", .info)
        base.onMemoryPressure(pressure)
    }

    func around<Other: CacheLevel<Key, Value>>(_ other: Other) -> AnyLevel<Key, Value> {
        AnyLevel(Logged<Other>(base: other, name: name))
    }

    @Sendable private func say(_ message: String, _ level: LogLevel) { log("\(name): \(message)", level) }

    private func said(_ what: String, _ command: Observable<Never, CacheError>) -> Observable<Never, CacheError> {
        Observable.command { say(what, .debug) }.concat(command.noting(what, by: say)).gated(by: gate)
    }
}

extension Observable where Failure == CacheError {
    /// Says how it went.
    fileprivate func noting(_ what: String, by say: @escaping @Sendable (String, LogLevel) -> Void) -> Self {
        map { element in
            say("\(what): hit", .debug)
            return element
        }
        .mapError { error in
            say("\(what): \(error)", error.isMiss ? .debug : .warning)
            return error
        }
    }
}
