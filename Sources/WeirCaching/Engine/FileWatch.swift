// Waits for what the kernel says on descriptors, on a thread of its own: what memory pressure is told by is no readable
// file, so a queue's event source cannot wait for it. The thread sleeps until something happens or nobody listens.

#if os(Linux)
import Foundation
import Weir

/// Descriptors that are watched until `cancel`, or until one of them is over. They are closed then.
final class FileWatch: Sendable {
    /// One descriptor, and what it is watched for.
    struct Watched: Sendable {
        let file: Int32
        let events: Int32
        /// Called on the watch's thread; false ends the watch.
        let wake: @Sendable () -> Bool
    }

    /// The end of a pipe whose other end the thread watches, too; closing it wakes the thread for the last time.
    private let bell: Lock<Int32?>

    /// - Parameter ended: called when a descriptor is over, and not after `cancel`.
    init(_ watched: [Watched], ended: @escaping @Sendable () -> Void) throws(DiskFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            let failure = DiskFailure("pipe", "for a watch")
            for one in watched { close(one.file) }
            throw failure
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = Lock(ends[1])
        let stop = ends[0]
        let thread = Thread {
            let isCancelled = Self.run(watched, until: stop)
            for file in watched.map(\.file) + [stop] { close(file) }
            if !isCancelled { ended() }
        }
        thread.stackSize = 256 * 1024
        thread.start()
    }

    deinit { cancel() }

    /// Ends the watch. At most the call that is running finishes.
    func cancel() {
        let end = bell.withLock { bell in
            defer { bell = nil }
            return bell
        }
        if let end { close(end) }
    }

    /// Answers true where it was cancelled.
    private static func run(_ watched: [Watched], until stop: Int32) -> Bool {
        var files = watched.map { pollfd(fd: $0.file, events: Int16($0.events), revents: 0) }
        files.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0))
        while true {
            guard poll(&files, nfds_t(files.count), -1) >= 0 else {
                if errno == EINTR { continue }
                return false
            }
            if files[watched.count].revents != 0 { return true }
            for (one, file) in zip(watched, files) where file.revents != 0 {
                if Int32(file.revents) & (POLLERR | POLLNVAL | POLLHUP) != 0 || !one.wake() { return false }
            }
        }
    }
}
#endif
