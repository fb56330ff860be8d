// Who else has a cache's directory open. Each store holds a shared lock on it while it lives, so a lock for oneself is to
// be had only where nobody else is. The system lets go of a lock with its process, however that ends: nothing is left.

import Foundation

/// One store's lock on its directory. Two stores of one process count as two.
final class DiskNeighbours: Sendable {
    private let file: Int32

    /// Fails where the directory is not there, or may not be opened.
    init?(directory: String) {
        file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        share()
    }
    deinit { close(file) }

    /// Whether somebody else is there. Two that ask in the same moment may both hear no; asked again, they hear yes.
    /// A file system without locks says yes, which costs time alone.
    var arePresent: Bool {
        let isAlone = flock(file, LOCK_EX | LOCK_NB) == 0
        // A lock for oneself that was not to be had has cost the shared one.
        share()
        return !isAlone
    }

    /// Others hold a lock for themselves only for a moment; who holds it for long is no store.
    private func share() {
        for _ in 0..<100 where flock(file, LOCK_SH | LOCK_NB) != 0 { sched_yield() }
    }
}
