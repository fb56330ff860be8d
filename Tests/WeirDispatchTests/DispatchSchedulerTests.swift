import Dispatch
import Testing
import WeirTesting

@testable import WeirDispatch

/// Work that leaves its number in a stream, so that a test can wait for it.
private final class Tape: Sendable {
    let numbers = BehaviorSubject<[Int], Never>([])
    func add(_ number: Int) { numbers.send(numbers.value + [number]) }
    func has(_ count: Int) async -> [Int] {
        for await numbers in numbers.values where numbers.count >= count { return numbers }
        return []
    }
}

@Suite struct DispatchSchedulerTests {
    let queue = DispatchQueue(label: "weir.tests.serial")
    private let tape = Tape()

    @Test func workRunsOnTheQueueInItsOrder() async {
        let scheduler = DispatchScheduler(queue)
        for number in 0..<1_000 {
            scheduler.schedule { [queue, tape] in
                dispatchPrecondition(condition: .onQueue(queue))
                tape.add(number)
            }
        }
        #expect(await tape.has(1_000) == Array(0..<1_000))
    }

    @Test func deadlinesAreKeptEarliestFirstAndNeverTooSoon() async {
        let scheduler = DispatchScheduler(queue)
        let start = scheduler.now
        let early = Guarded(0)
        for number in [3, 1, 2] {
            let deadline = start.advanced(by: .milliseconds(number * 20))
            scheduler.schedule(at: deadline) { [tape] in
                if scheduler.now < deadline { early.withLock { $0 += 1 } }
                tape.add(number)
            }
        }
        scheduler.schedule(at: start.advanced(by: .seconds(-5))) { [tape] in tape.add(0) }
        #expect(await tape.has(4) == [0, 1, 2, 3])
        #expect(early.withLock { $0 } == 0)
    }

    @Test func withdrawnWorkDoesNotRunAndIsLetGoAtOnce() async {
        let scheduler = DispatchScheduler(queue)
        var object: Tape? = Tape()
        weak let watched = object
        let work = scheduler.schedule(after: .seconds(3_600)) { [object] in object?.add(1) }
        object = nil
        #expect(watched != nil)
        work.cancel()
        work.cancel()
        #expect(watched == nil)
        let soon = scheduler.schedule(after: .milliseconds(1)) { [tape] in tape.add(1) }
        soon.cancel()
        scheduler.schedule(after: .milliseconds(30)) { [tape] in tape.add(2) }
        #expect(await tape.has(1) == [2])
    }

    @Test func aConcurrentQueueKeepsTheOrderOfAStream() async throws {
        let scheduler = DispatchScheduler(.global())
        let stream = Observable(0..<20_000).receive(on: scheduler, prefetch: 8)
        var seen: [Int] = []
        for await number in stream.values { seen.append(number) }
        #expect(seen == Array(0..<20_000))
    }

    @MainActor @Test func theMainSchedulerRunsOnTheMainActor() async {
        MainScheduler().schedule { [tape] in
            MainActor.assumeIsolated { tape.add(1) }
        }
        MainScheduler().schedule(after: .milliseconds(1)) { [tape] in
            MainActor.assumeIsolated { tape.add(2) }
        }
        #expect(await tape.has(2) == [1, 2])
    }

    @Test func durationsFitWhateverTheyAre() {
        #expect(DispatchTimeInterval(.seconds(-1)) == .nanoseconds(0))
        #expect(DispatchTimeInterval(.milliseconds(1_500)) == .nanoseconds(1_500_000_000))
        #expect(DispatchTimeInterval(.seconds(Int64.max)) == .nanoseconds(.max))
    }
}
