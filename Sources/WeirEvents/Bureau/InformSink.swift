import Foundation

#if canImport(os)
import os
#endif

/// Where the bureau writes its records as text: one block a record, never two at once.
public final class InformSink: Sendable, CustomStringConvertible {
    /// What the sink is called.
    public let description: String
    let write: @Sendable (String) -> Void

    /// A closure takes each record. It is never called twice at once; whichever thread reports calls it.
    ///
    /// What it publishes or subscribes itself is not reported.
    public init(_ description: String = "closure", _ write: @escaping @Sendable (String) -> Void) {
        self.description = description
        self.write = write
    }

    /// Standard error.
    public static let standardError = InformSink("standard error") { printToStandardError($0 + "\n") }

    /// Appends to a file, which is made where it does not exist.
    ///
    /// A record that cannot be written later on, as on a full disk, goes to `Unhandled.hook`.
    ///
    /// - Parameter path: the file.
    /// - Throws: `InformSinkError`, where the file cannot be opened.
    public static func file(_ path: String) throws(InformSinkError) -> InformSink {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let handle: FileHandle
        do {
            handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.seekToEnd()
        } catch {
            throw InformSinkError(path: path, reason: error.localizedDescription)
        }
        let file = Lock(handle)
        return InformSink("file \(path)") { text in
            let failure: (any Error)? = file.withLock { handle in
                do {
                    try handle.write(contentsOf: Data((text + "\n").utf8))
                    return nil
                } catch { return error }
            }
            if let failure { Unhandled.report("a record of the bureau was not written to \(path)", failure) }
        }
    }

    #if canImport(os)
    /// The system's log: warnings as such, all else as debug messages.
    public static func logger(_ logger: Logger) -> InformSink {
        InformSink("logger") { text in
            if text.hasPrefix("(W)") {
                logger.warning("\(text, privacy: .public)")
            } else {
                logger.debug("\(text, privacy: .public)")
            }
        }
    }
    #endif
}

/// A file that the bureau cannot write to.
public struct InformSinkError: Error, CustomStringConvertible {
    /// The file.
    public let path: String
    /// What the system said.
    public let reason: String

    /// As in `the bureau cannot write to /a/b: …; name a file in a folder that exists and may be written to`.
    public var description: String {
        "the bureau cannot write to \(path): \(reason); name a file in a folder that exists and may be written to"
    }
}
