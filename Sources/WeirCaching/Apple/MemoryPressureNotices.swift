// Memory pressure as Apple's systems tell it.

#if canImport(Darwin)
import Dispatch
import Weir

extension MemoryPressure {
    /// The system's own notices of memory pressure, on a queue of their own.
    public static var notices: Source {
        .create { emitter in
            let queue = DispatchQueue(label: "weir.caching.pressure")
            let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: queue)
            source.setEventHandler { [weak source] in
                guard let source else { return }
                emitter.send(source.data.contains(.critical) ? .critical : .warning)
            }
            emitter.onTermination { source.cancel() }
            source.activate()
        }
    }
}
#endif
