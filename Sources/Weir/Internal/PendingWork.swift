/// Work that waits somewhere it cannot be taken back from: it runs once, unless it was withdrawn before.
package final class PendingWork: Sendable {
    private let work: Lock<(@Sendable () -> Void)?>

    package init(_ work: @escaping @Sendable () -> Void) { self.work = Lock(work) }

    private func take() -> (@Sendable () -> Void)? {
        work.withLock { work in
            let taken = work
            work = nil
            return taken
        }
    }
    package func run() { take()?() }
    package func withdraw() { _ = take() }
}
