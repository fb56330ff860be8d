import Synchronization

/// What downstream has asked for in all, saturating at `.max`; negative once the stream is over.
@usableFromInline struct Requested: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<Int>(0)
    @inlinable init() {}

    @inlinable @inline(__always) var now: Int { word.load(ordering: .relaxed) }
    @inlinable var synced: Int { word.load(ordering: .acquiring) }
    @inlinable var isOver: Bool { now < 0 }

    /// Adds, and answers the value before: negative means over, `.max` that nothing has changed.
    @inlinable borrowing func add(_ demand: Demand) -> Int {
        var before = word.load(ordering: .relaxed)
        while before >= 0 && before != .max {
            let sum = saturating(before, demand.count)
            let swap = word.compareExchange(expected: before, desired: sum, ordering: .acquiringAndReleasing)
            if swap.exchanged { return before }
            before = swap.original
        }
        return before
    }

    /// Adds; answers whether more may be delivered now than before.
    @inlinable borrowing func grow(_ demand: Demand) -> Bool {
        let before = add(demand)
        return before >= 0 && before != .max
    }

    /// Takes `used` off, where that means something; answers what is left, negative where the stream is over.
    @inlinable borrowing func spend(_ used: Int) -> Int {
        var before = word.load(ordering: .acquiring)
        while before >= 0 && before != .max {
            let swap = word.compareExchange(
                expected: before, desired: before &- used, ordering: .acquiringAndReleasing)
            if swap.exchanged { return before &- used }
            before = swap.original
        }
        return before
    }

    /// Ends the stream; answers whether it was alive until now.
    @inlinable borrowing func end() -> Bool { word.exchange(-1, ordering: .acquiringAndReleasing) >= 0 }

    /// Ends the stream; answers the word before (0: nothing asked for, negative: over already).
    @inlinable borrowing func endAnsweringBefore() -> Int { word.exchange(-1, ordering: .acquiringAndReleasing) }

    /// The first request of a source that answers once: true for exactly one caller.
    @inlinable borrowing func begin() -> Bool {
        word.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }
}
