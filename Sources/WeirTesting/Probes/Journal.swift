/// What happened, in order, whoever wrote it: a source, a probe, a test. Safe from any thread.
public final class Journal: Sendable, CustomStringConvertible {
    private let entries = Lock<[String]>([])

    /// An empty journal.
    public init() {}

    /// Adds a line.
    public func add(_ line: String) { entries.withLock { $0.append(line) } }

    /// The lines so far.
    public var lines: [String] { entries.withLock { $0 } }

    /// The place of the first line that equals `line`; nil where there is none.
    public func firstIndex(of line: String) -> Int? { lines.firstIndex(of: line) }

    /// The lines, one under the other.
    public var description: String { lines.joined(separator: "\n") }
}
