// What a cache has to tell that is nobody's answer: a failed write-back, a damaged record.

import Weir

/// Where caches write what no caller asked for. By default warnings and errors are printed.
public enum CacheLog {
    /// How much a message matters.
    public enum Level: Int, Sendable, Comparable {
        /// For the curious.
        case debug
        /// Good to know.
        case info
        /// Something was lost that will be loaded again.
        case warning
        /// Something is broken.
        case error

        /// Less important first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private static let sink = Lock<@Sendable (String, Level) -> Void>({ message, level in
        if level >= .warning { print("WeirCaching \(level): \(message)") }
    })

    /// Sends messages elsewhere from now on.
    ///
    /// - Parameter sink: takes a message and its level, on any thread.
    public static func send(to sink: @escaping @Sendable (String, Level) -> Void) {
        let old = self.sink.withLock { current in
            let old = current
            current = sink
            return old
        }
        _ = old
    }

    @usableFromInline static func write(_ message: String, _ level: Level) { sink.withLock { $0 }(message, level) }
}
