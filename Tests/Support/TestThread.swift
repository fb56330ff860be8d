import Foundation
import Testing
@_exported import WeirTesting

/// Does a sanitizer watch? It makes everything several times slower, and frames larger.
package let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// A number that an environment variable may change.
///
/// - Parameters:
///   - usual: what it is else.
///   - sanitized: what it is else under a sanitizer.
package func setting<Number: FixedWidthInteger>(_ name: String, or usual: Number, sanitized: Number? = nil) -> Number {
    ProcessInfo.processInfo.environment[name].flatMap { Number($0) } ?? (isSanitized ? sanitized ?? usual : usual)
}

/// A thread with a stack of its own size, which somebody waits for.
package struct TestThread: Sendable {
    private let end = Door()

    /// Starts it.
    ///
    /// - Parameter stack: KiB. A sanitizer needs a multiple of it, which is given.
    package init(stack: Int = 512, _ body: @escaping @Sendable () -> Void) {
        let isStarted = Threads.start(stackSize: stack * 1024 * (isSanitized ? 8 : 1)) { [end] in
            body()
            end.open()
        }
        #expect(isStarted, "the system gave no thread")
        if !isStarted { end.open() }
    }
    package func join() { end.wait() }
}

/// Runs `body` on a thread with that many KiB of stack, and waits for it.
package func onThread(stack: Int = 512, _ body: @escaping @Sendable () -> Void) {
    TestThread(stack: stack, body).join()
}

/// Runs `body` on `count` threads that set off together, and awaits all of them.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    let arrived = Tally()
    let left = Guarded(count)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        for index in 0..<count {
            let isStarted = Threads.start {
                arrived.add()
                spin { arrived.value >= count }
                body(index)
                let remaining = left.withLock { left in
                    left -= 1
                    return left
                }
                if remaining == 0 { continuation.resume() }
            }
            precondition(isStarted, "the system gave no thread")
        }
    }
}

/// A door between threads: `wait` blocks until somebody has opened it.
package final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    package init() {}
    package func open() { semaphore.signal() }
    package func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// A door for tasks: `wait` awaits that it was opened that many times.
package final class Bell: Sendable {
    private struct State {
        var rung = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Guarded(State())
    package init() {}

    package func ring() {
        let ready = state.withLock { state in
            state.rung += 1
            let ready = state.waiters.filter { $0.count <= state.rung }
            state.waiters.removeAll { $0.count <= state.rung }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }
    package func wait(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isRung = state.withLock { state in
                if state.rung < count { state.waiters.append((count, continuation)) }
                return state.rung >= count
            }
            if isRung { continuation.resume() }
        }
    }
}

/// Waits for something that another thread does, and lets it run meanwhile. For a thread of one's own: it blocks.
///
/// - Parameter longest: gives up after that time; nil waits for ever.
package func spin(atMost longest: Duration? = nil, until isTrue: () -> Bool) {
    let deadline = longest.map { ContinuousClock.now.advanced(by: $0) }
    var turns = 0
    while !isTrue() {
        turns += 1
        guard let deadline else {
            if turns.isMultiple(of: 100) { Threads.pause() }
            continue
        }
        if ContinuousClock.now >= deadline { return }
        Threads.pause(microseconds: turns < 1_000 ? 0 : 100)
    }
}

/// Awaits something that tasks of the pool or other threads do, without keeping a thread of the pool. The suite's time
/// limit bounds it.
package func until(_ isTrue: @Sendable () -> Bool) async { while !isTrue() { await Task.yield() } }

/// Is it so, or a moment later? Where another test's subscription looks at an owner, it holds that for the moment, and what
/// it ends is over a moment later.
package func soon(_ isTrue: () -> Bool) -> Bool {
    spin(atMost: .seconds(60), until: isTrue)
    return isTrue()
}
