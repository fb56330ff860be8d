// VirtualClock.Instant: a point in virtual time.

extension VirtualClock {
    /// A point in virtual time, as a distance from the clock's start.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The distance from the start; never negative on a clock.
        public let offset: Duration

        /// The point `offset` after the start.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// The point `count` frames (milliseconds) after the start.
        public static func frame(_ count: Int) -> Instant { Instant(offset: .frames(count)) }

        /// How many whole frames have passed since the start.
        public var frame: Int { offset.wholeFrames }

        /// This point moved by `duration`, which may be negative.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How far it is to `other`; negative where that lies before.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Earlier than?
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

        /// As in `0.012 seconds`.
        public var description: String { "\(offset)" }
    }
}
