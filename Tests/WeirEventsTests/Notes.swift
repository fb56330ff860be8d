import WeirTesting

/// What happened, in order, from any thread.
final class Notes: Sendable, CustomStringConvertible {
    private let lines = Guarded<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
    var description: String { all.joined(separator: ", ") }
}
