import Weir
import WeirTesting

/// The failure of most tests.
struct Boom: Error, Equatable, CustomStringConvertible {
    var code = 0
    var description: String { "boom\(code == 0 ? "" : "\(code)")" }
}

/// An object whose death a test watches.
final class Canary: Sendable {
    private let onDeath: @Sendable () -> Void
    init(_ onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }
    deinit { onDeath() }
}

/// A weak place for a canary.
final class WeakCanary: Sendable {
    private struct Place { weak var canary: Canary? }
    private let place = Guarded(Place())
    func set(_ canary: Canary) { place.withLock { $0.canary = canary } }
    var isAlive: Bool { place.withLock { $0.canary != nil } }
}

/// What happened, in order, from any thread.
final class Log: Sendable, CustomStringConvertible {
    private let lines = Guarded<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
    var description: String { all.joined(separator: ", ") }
}

/// A number that any thread adds to.
final class Counter: Sendable {
    private let count = Guarded(0)
    func add(_ number: Int = 1) { count.withLock { $0 += number } }
    var value: Int { count.withLock { $0 } }
}
