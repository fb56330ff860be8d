// Threads for rows that need more than one.

import Dispatch
import Foundation
import Weir

/// A thread that runs one piece of work.
final class Worker: Sendable {
    private let ended = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Void) {
        let ended = ended
        Thread {
            work()
            ended.signal()
        }.start()
    }
    func join() { ended.wait() }
}

/// Wakes one thread that waits; raised twice before a wait, it wakes once or twice.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func raise() { semaphore.signal() }
    func wait() { semaphore.wait() }
}

/// Runs async work from a thread that may wait for it, and answers what it answers.
func wait(for work: @escaping @Sendable () async -> Int) -> Int {
    let answer = Sum()
    let ended = Signal()
    Task {
        answer.value = await work()
        ended.raise()
    }
    ended.wait()
    return answer.value
}

/// One thread, first in, first out; it ends with its last reference.
final class ThreadScheduler: Scheduler {
    private final class Work: @unchecked Sendable {
        let condition = NSCondition()
        var queue: [@Sendable () -> Void] = []
        var isOver = false

        func take() -> [@Sendable () -> Void]? {
            condition.lock()
            defer { condition.unlock() }
            while queue.isEmpty {
                if isOver { return nil }
                condition.wait()
            }
            let work = queue
            queue = []
            return work
        }
        func change(_ body: (Work) -> Void) {
            condition.lock()
            body(self)
            condition.signal()
            condition.unlock()
        }
    }
    private let work = Work()

    init() {
        let work = work
        Thread { while let pieces = work.take() { for piece in pieces { piece() } } }.start()
    }
    deinit { work.change { $0.isOver = true } }

    var now: ContinuousClock.Instant { .now }
    func schedule(_ piece: @escaping @Sendable () -> Void) { work.change { $0.queue.append(piece) } }
    func schedule(at deadline: ContinuousClock.Instant, _ piece: @escaping @Sendable () -> Void) -> ScheduledWork {
        ClockScheduler(ContinuousClock()).schedule(at: deadline) { self.schedule(piece) }
    }
}
