// respond(to:): a cache that lets go of memory when a stream says that memory is scarce.

import Weir

extension CacheLevel {
    /// Calls `onMemoryPressure` at each element, so that every level lets go of what it holds in memory.
    ///
    /// The built-in levels and what is composed of them are not kept alive by it, nor is a level that is an object; a
    /// level of your own that is a struct lives as long as the subscription.
    ///
    /// - Parameter pressure: such as `MemoryPressure.system`, or a subject in a test. Its failure ends the responding, and
    ///   goes to the hook for what nobody handled.
    /// - Returns: a token that stops it when it is released.
    public func respond<Failure: Error>(
        to pressure: Observable<MemoryPressureLevel, Failure>
    ) -> SubscriptionToken {
        let all = receivers(of: self)
        return pressure.subscribe { level in
            for receiver in all { receiver(level) }
        } done: { completion in
            if case .failed(let error) = completion { Unhandled.report("memory pressure is no longer told", error) }
        }
    }
}

/// Takes a call, and does nothing once its level is gone.
typealias PressureReceiver = @Sendable (MemoryPressureLevel) -> Void

/// A level that can be called without being kept alive.
protocol WeaklyPressed {
    /// One for each part that lets go of something.
    var pressureReceivers: [PressureReceiver] { get }
}

func receivers(of level: some CacheLevel) -> [PressureReceiver] {
    if let level = level as? any WeaklyPressed { return level.pressureReceivers }
    if let wrapper = level as? any Wrapper { return receivers(of: wrapper.base) }
    if let object = level as? any CacheLevel & AnyObject { return [{ [weak object] in object?.onMemoryPressure($0) }] }
    return [{ level.onMemoryPressure($0) }]
}

extension MemoryLevel: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { [{ [weak store] _ in store?.clear(.pressure) }] }
}

extension DefaultsLevel: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { [{ [weak store] _ in store?.dropSoftCopies() }] }
}

extension DiskLevel: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { [] }
}

extension Fetcher: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { [] }
}

extension AnyLevel: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { receivers(of: base) }
}

extension Composed: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { receivers(of: upper) + receivers(of: lower) }
}

extension Pooled: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { receivers(of: base) }
}

extension CachedFailures: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { receivers(of: failures) + receivers(of: base) }
}

extension Switch: WeaklyPressed {
    var pressureReceivers: [PressureReceiver] { lanes.values.flatMap { receivers(of: $0) } }
}
