/// Counts what a stream had to leave out: give one to `buffer` or `interval`, and read it from anywhere.
public final class DropCounter: Sendable, CustomStringConvertible {
    private let tally = Tally()

    /// A counter at zero.
    public init() {}

    /// How many elements were dropped so far, over all subscriptions that count here.
    public var count: Int { tally.value }

    /// As in `DropCounter(3)`.
    public var description: String { "DropCounter(\(count))" }

    @usableFromInline func add(_ number: Int) { tally.add(number) }
}
