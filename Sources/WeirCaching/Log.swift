// What caches say while they work: the messages of `logged()`, and what went wrong where nobody waits for an answer.

import Weir

/// How much a message matters.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable, CustomStringConvertible {
    /// What happened, call by call.
    case debug
    /// Something worth knowing.
    case info
    /// Something failed, and the cache goes on.
    case warning
    /// Something failed for good.
    case error

    /// The less that matters first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The case's name.
    public var description: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

/// What takes the messages of all caches, written `WeirCaching.log`. By default it prints them.
///
/// It is called on any thread, several times at once, and never under a lock. One that is being replaced may still be called
/// by another thread for a moment.
public var log: @Sendable (_ message: String, _ level: LogLevel) -> Void {
    get { logger.withLock { $0 } }
    set {
        let old = logger.withLock { logger in
            let old = logger
            logger = newValue
            return old
        }
        _ = old
    }
}

private let logger = Lock<@Sendable (String, LogLevel) -> Void>({ message, level in print("\(level): \(message)") })

/// A failure that nobody waits for: to the hook for those, and to the log.
@usableFromInline func reportUnawaited(
    _ message: String, _ error: CacheError, file: StaticString = #fileID, line: UInt = #line
) {
    Unhandled.report(message, error, file: file, line: line)
    log("\(message): \(error)", .warning)
}
