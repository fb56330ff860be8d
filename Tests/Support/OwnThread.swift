import Testing
import WeirTesting

/// Runs a test on a thread of its own instead of the pool's, of which there are as few as cores: a test that blocks, or
/// computes for long, would keep the tasks and timers of all others waiting. At most a handful run at once.
///
///     @Suite(.ownThread) struct MergeTests {
package struct OwnThreadTrait: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    package static var ownThread: Self { Self() }
}

/// An executor whose threads may block: each lives as long as there is something to do.
package final class OwnThreads: TaskExecutor {
    package static let shared = OwnThreads(most: 2)

    private struct State {
        var waiting: [UnownedJob] = []
        var running = 0
    }
    private let state = Guarded(State())
    private let most: Int

    init(most: Int) { self.most = most }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.waiting.append(job)
            guard state.running < most else { return false }
            state.running += 1
            return true
        }
        guard needsThread else { return }
        let isStarted = Threads.start { [self] in
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        precondition(isStarted, "the system gave no thread")
    }
    private func next() -> UnownedJob? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }
}
