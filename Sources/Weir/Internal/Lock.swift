import Synchronization

/// A value behind a mutex. The lock decides, the caller acts: no handler, closure or deinit of foreign code runs inside.
@usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: Mutex<Unchecked<Value>>
    /// The thread sanitizer does not see the slow path of `Mutex`; this load and store show it the order (0.2 ns).
    @usableFromInline let marker = Atomic<Int>(0)

    @inlinable package init(_ value: Value) { mutex = Mutex(Unchecked(value)) }

    /// Runs `body` alone on the value and hands out what it answers.
    @inlinable package borrowing func withLock<Answer>(_ body: (inout Value) -> Answer) -> Answer {
        mutex.withLock { box in
            _ = marker.load(ordering: .acquiring)
            defer { marker.store(0, ordering: .releasing) }
            return Unchecked(body(&box.value))
        }.value
    }
}

/// Carries a value across a boundary that the compiler cannot see to be safe. The reason stands where it is used.
@usableFromInline struct Unchecked<Value>: @unchecked Sendable {
    @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
}

/// A value that one stage owns. A captured `var` would pay for exclusivity checks at each element (about 15 ns).
@usableFromInline final class Cell<Value> {
    @exclusivity(unchecked) @usableFromInline var value: Value
    @inlinable init(_ value: Value) { self.value = value }
}

/// A flag that goes up once and is read from any thread.
@usableFromInline struct Flag: ~Copyable, Sendable {
    @usableFromInline let state = Atomic<Bool>(false)
    @inlinable init() {}
    @inlinable var isUp: Bool { state.load(ordering: .acquiring) }
    /// Answers whether this call raised it.
    @inlinable @discardableResult borrowing func raise() -> Bool {
        !state.exchange(true, ordering: .acquiringAndReleasing)
    }
}

/// A number that many threads add to.
@usableFromInline package struct Tally: ~Copyable, Sendable {
    @usableFromInline let count = Atomic<Int>(0)
    @inlinable package init() {}
    @inlinable package var value: Int { count.load(ordering: .relaxed) }
    @inlinable @discardableResult package borrowing func add(_ n: Int = 1) -> Int {
        count.wrappingAdd(n, ordering: .relaxed).newValue
    }
}
