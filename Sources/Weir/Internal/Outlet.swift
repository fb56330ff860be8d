// How an engine holds what is downstream of it, and how it hands itself down.

/// The object behind a subscription. Its calls are safe from any thread, though its other members belong to whoever
/// holds its serialiser: that is why it may cross threads unchecked.
@usableFromInline protocol Engine: AnyObject, SendableMetatype {
    func request(_ demand: Demand)
    func cancel()
}

extension Subscription {
    /// The subscription of an engine; the closures use the engine as their context, so this allocates nothing.
    @inlinable @inline(__always) init(_ engine: some Engine) {
        nonisolated(unsafe) let engine = engine
        self.init(request: { engine.request($0) }, cancel: { engine.cancel() })
    }
}

extension Scheduler {
    /// Runs `work` on an engine that may not cross threads in the compiler's eyes. The work only signals through the
    /// engine's serialiser.
    @inlinable func schedule<E: Engine>(_ engine: E, _ work: @escaping @Sendable (E) -> Void) {
        nonisolated(unsafe) let engine = engine
        schedule { work(engine) }
    }
    /// The same, at a deadline.
    @inlinable func schedule<E: Engine>(
        _ engine: E, at deadline: Instant, _ work: @escaping @Sendable (E) -> Void
    ) -> ScheduledWork {
        nonisolated(unsafe) let engine = engine
        return schedule(at: deadline) { work(engine) }
    }
}

/// An observer on the heap, so that an emitter can reach it without a retain.
@usableFromInline final class Box<Element: Sendable, Failure: Error> {
    @usableFromInline let observer: Observer<Element, Failure>
    @inlinable init(_ observer: Observer<Element, Failure>) { self.observer = observer }
}

/// The observer of an engine that serialises its signals: only such a party may drop an observer before its stream ends.
/// Delivering through it costs no retain; only the emitter calls it.
@usableFromInline final class Outlet<Element: Sendable, Failure: Error> {
    @exclusivity(unchecked) @usableFromInline var box: Unmanaged<Box<Element, Failure>>?

    @inlinable init(_ observer: Observer<Element, Failure>) { box = .passRetained(Box(observer)) }
    @inlinable deinit { box?.release() }

    /// Not after `drop`.
    @inlinable @inline(__always) func next(_ element: Element) -> Bool {
        box.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.observer.next(element) }
    }
    @inlinable func done(_ completion: Completion<Failure>) {
        box?._withUnsafeGuaranteedRef { $0.observer.done(completion) }
    }
    /// Lets the observer go. What it captured may run foreign deinits that come back here.
    @inlinable func drop() {
        let dropped = box
        box = nil
        dropped?.release()
    }
}

/// The `done` side of what an engine hands upstream. Upstream alone holds it, so its deinit tells the engine that
/// upstream let go without an end, as a subject does when nobody holds it any more.
@usableFromInline final class Tether<Failure: Error> {
    @usableFromInline let end: (Completion<Failure>) -> Void
    @usableFromInline let lost: () -> Void
    @exclusivity(unchecked) @usableFromInline var ended = false

    @inlinable init(end: @escaping (Completion<Failure>) -> Void, lost: @escaping () -> Void) {
        self.end = end
        self.lost = lost
    }
    @inlinable deinit { if !ended { lost() } }

    @inlinable func done(_ completion: Completion<Failure>) {
        ended = true
        end(completion)
    }
}

extension Observer {
    /// What an engine hands upstream. It hears, too, where upstream lets go without an end.
    @inlinable @inline(__always) init(
        next: @escaping (Element) -> Bool, end: @escaping (Completion<Failure>) -> Void, lost: @escaping () -> Void
    ) {
        let tether = Tether<Failure>(end: end, lost: lost)
        self.init(next: next, done: { tether.done($0) })
    }
}
