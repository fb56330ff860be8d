import Synchronization

/// The serialiser. One thread emits; other threads, and calls that come back from inside a handler, leave their item
/// and return. So there is one total order, no lock on delivery, and no recursion.
///
/// `pulling` marks that the emitter is calling up into a source. What that source signals on this very thread while
/// nothing is being delivered runs in place: no atomics, no queue, and the frames below still own the serialiser.
///
/// The owner's count is exactly 1. What was posted is taken off before it runs, or nested drains would lose items.
@usableFromInline struct Serial<Item>: ~Copyable {
    @usableFromInline let pending = Atomic<Int>(0)
    @usableFromInline let puller = Atomic<UInt>(0)
    @usableFromInline let queue = Lock<ContiguousArray<Item>>([])
    @inlinable init() {}

    /// Becomes the owner if nobody is.
    @inlinable @inline(__always) borrowing func enter() -> Bool {
        pending.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
    }
    /// Lets go. `false`: something was posted, the caller still owns and drains.
    @inlinable @inline(__always) borrowing func leave() -> Bool {
        pending.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged
    }
    /// Leaves an item. `true`: the caller is now the owner and drains.
    @inlinable borrowing func post(_ item: Item) -> Bool {
        queue.withLock { $0.append(item) }
        return poke()
    }
    /// Makes the owner look again. `true`: the caller is now the owner and drains.
    @inlinable borrowing func poke() -> Bool {
        pending.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
    }
    /// Is this thread inside `pulling`?
    @inlinable @inline(__always) borrowing func isPulling() -> Bool {
        let thread = puller.load(ordering: .relaxed)
        return thread != 0 && thread == threadIdentity()
    }
    /// Is nothing waiting but the owner's own work?
    @inlinable @inline(__always) borrowing func isCalm() -> Bool { pending.load(ordering: .relaxed) == 1 }

    /// Runs `request`, a call up into a source; only the owner may.
    @inlinable @inline(__always) borrowing func pulling(_ request: () -> Void) {
        let outer = puller.load(ordering: .relaxed)
        puller.store(threadIdentity(), ordering: .relaxed)
        request()
        puller.store(outer, ordering: .relaxed)
    }

    /// Takes what was posted off the count.
    @inlinable borrowing func absorb() -> Bool {
        let extra = pending.load(ordering: .acquiring) &- 1
        if extra > 0 { _ = pending.wrappingSubtract(extra, ordering: .acquiringAndReleasing) }
        return extra > 0
    }
    @inlinable borrowing func take() -> ContiguousArray<Item> {
        queue.withLock { items in
            let batch = items
            items = []
            return batch
        }
    }
    /// Runs all that was posted until nothing is left, and lets go. `settle` follows each batch.
    @inlinable @inline(never) borrowing func drain(_ run: (Item) -> Void, settle: () -> Void) {
        repeat {
            _ = absorb()
            for item in take() { run(item) }
            settle()
        } while !leave()
    }
    /// Inside `pulling`: runs what was posted meanwhile; the frames below keep the ownership.
    @inlinable @inline(never) borrowing func drainNested(_ run: (Item) -> Void) {
        while absorb() { for item in take() { run(item) } }
    }
}
