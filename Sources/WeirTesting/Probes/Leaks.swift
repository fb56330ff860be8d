/// Counts objects that are alive, so that a test can see the count go back to where it was.
///
///     let leaks = Leaks()
///     let canary = leaks.canary()          // let a handler capture it
///     …
///     #expect(leaks.alive == 0)            // the handler was freed
public final class Leaks: Sendable, CustomStringConvertible {
    /// Counted while it lives.
    public final class Canary: Sendable {
        private let leaks: Leaks
        fileprivate init(_ leaks: Leaks) {
            self.leaks = leaks
            leaks.born.add()
        }
        deinit { leaks.died.add() }
    }
    private let born = Tally()
    private let died = Tally()

    /// A counter at zero.
    public init() {}

    /// A new object that is counted until it is released.
    public func canary() -> Canary { Canary(self) }

    /// How many canaries were made.
    public var made: Int { born.value }
    /// How many canaries are alive.
    public var alive: Int { born.value - died.value }
    /// As in `Leaks(2 of 40 alive)`.
    public var description: String { "Leaks(\(alive) of \(made) alive)" }
}
