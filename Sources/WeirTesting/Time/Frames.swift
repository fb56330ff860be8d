// Frames: the unit of time of marble diagrams. One character is one frame, and a frame is a millisecond.

extension Duration {
    /// `count` frames of virtual time, one millisecond each: the width of `count` characters of a marble diagram.
    public static func frames(_ count: Int) -> Duration { .milliseconds(count) }

    /// How many whole frames fit in.
    var wholeFrames: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
