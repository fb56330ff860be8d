/// What went wrong where nobody waits for an answer: a write-back that failed, an error that no subscriber of an error
/// stream heard, a source that broke a rule.
///
/// One hook takes them all. Until you set it, the first at each place is printed to standard error.
public struct Unhandled: Sendable, CustomStringConvertible {
    /// What happened, and to whom.
    public let message: String
    /// The error behind it, where there is one.
    public let error: (any Error)?
    /// Module and file: of your own call where it is known, else of the part of the library that noticed.
    public let file: StaticString
    /// The line in that file.
    public let line: UInt

    /// What takes them: called on any thread, several times at once, for each of them, and never under a lock.
    ///
    /// nil, the default: the first at each place is printed to standard error, and the place with it. A hook that is being
    /// replaced may still be called by another thread for a moment.
    public static var hook: (@Sendable (Unhandled) -> Void)? {
        get { board.withLock { $0.hook } }
        set {
            let old = board.withLock { board in
                let old = board.hook
                board.hook = newValue
                return old
            }
            _ = old
        }
    }

    /// As in `the route "/a{" is ignored: … (App/Routes.swift:12)`.
    public var description: String {
        "\(message)\(error.map { message.isEmpty ? "\($0)" : ": \($0)" } ?? "") (\(file):\(line))"
    }

    /// Hands it to the hook.
    @usableFromInline package static func report(
        _ message: String, _ error: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        let unhandled = Unhandled(message: message, error: error, file: file, line: line)
        let (hook, isFirst) = board.withLock { board in
            (board.hook, board.hook == nil && board.printed.insert("\(file):\(line)").inserted)
        }
        if let hook { return hook(unhandled) }
        if isFirst { printToStandardError("Weir: \(unhandled)\n") }
    }

    private struct Board {
        var hook: (@Sendable (Unhandled) -> Void)?
        /// Bounded by the number of places in the program.
        var printed: Set<String> = []
    }
    private static let board = Lock(Board())
}
