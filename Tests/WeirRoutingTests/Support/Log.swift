import WeirTesting

/// Lines that handlers write, from any thread.
struct Log: Sendable {
    private let content = Guarded<[String]>([])

    func add(_ line: String) { content.withLock { $0.append(line) } }

    var lines: [String] { content.withLock { $0 } }
}
