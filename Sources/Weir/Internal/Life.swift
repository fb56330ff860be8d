extension SubscriptionToken {
    /// Whether the end has come: the stream raises it, and token and bag look.
    @usableFromInline final class Life: Sendable {
        @usableFromInline let finished = Flag()
        @inlinable init() {}
    }

    /// A token's reference to the life. The handlers hold the other ones, so where this one is the last the handlers are
    /// freed, and nothing can come any more: that is how the token of a subject that is gone is known to be over, at no
    /// cost for an element and without an object of its own.
    @usableFromInline struct Watch: ~Copyable, Sendable {
        @usableFromInline let life: Unmanaged<Life>

        @inlinable init(_ life: Life) { self.life = .passRetained(life) }
        @inlinable deinit { life.release() }

        @inlinable @inline(__always) var isRaised: Bool { life._withUnsafeGuaranteedRef { $0.finished.isUp } }
        @inlinable @inline(__always) func raise() { life._withUnsafeGuaranteedRef { _ = $0.finished.raise() } }

        /// Raised, or left alone.
        @usableFromInline var isOver: Bool {
            if isRaised { return true }
            // Counted through memory: a strong copy, as `let` properties give one in debug builds, would count too.
            var reference = life
            return withUnsafeMutablePointer(to: &reference) {
                $0.withMemoryRebound(to: Life.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
            }
        }
    }
}
