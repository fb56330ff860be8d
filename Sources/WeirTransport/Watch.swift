// Two small things that a connection is made of: a source that is either watching or not, and the bytes that wait.

import Dispatch

/// A dispatch source that pauses and resumes any number of times. (The source itself counts, and stops the program when it
/// is released while paused.)
struct Watch {
    private let source: any DispatchSourceProtocol
    private(set) var isWatching = false
    private var isCancelled = false

    /// A source that has not been resumed yet.
    init(_ source: any DispatchSourceProtocol) { self.source = source }

    mutating func resume() {
        guard !isWatching, !isCancelled else { return }
        isWatching = true
        source.resume()
    }

    mutating func pause() {
        guard isWatching, !isCancelled else { return }
        isWatching = false
        source.suspend()
    }

    mutating func cancel() {
        guard !isCancelled else { return }
        resume()
        isCancelled = true
        source.cancel()
    }
}

/// Bytes in line to be written, in the pieces in which they came.
struct ByteQueue {
    private var chunks: [[UInt8]] = []
    private var head = 0
    private var offset = 0
    /// How many bytes wait.
    private(set) var count = 0

    mutating func append(_ bytes: [UInt8]) {
        chunks.append(bytes)
        count += bytes.count
    }

    /// The bytes to be written next; nil where nothing waits.
    var first: ArraySlice<UInt8>? { head < chunks.count ? chunks[head][offset...] : nil }

    /// Takes written bytes off the first piece.
    mutating func removeFirst(_ written: Int) {
        count -= written
        offset += written
        guard offset == chunks[head].count else { return }
        chunks[head] = []
        head += 1
        offset = 0
        // The emptied front goes when it is half of the line, so that each piece is moved at most once.
        if head * 2 > chunks.count {
            chunks.removeFirst(head)
            head = 0
        }
    }
}
