import Dispatch
import Testing
import WeirDispatch
import WeirTesting

/// A queue that can say whether it is the one that runs.
private struct Marked {
    let queue = DispatchQueue(label: "weir.tests.dispatch")
    private let key = DispatchSpecificKey<Bool>()
    init() { queue.setSpecific(key: key, value: true) }
    var isHere: @Sendable () -> Bool {
        { [key] in DispatchQueue.getSpecific(key: key) == true }
    }
}

@Suite struct DispatchSchedulerTests {
    @Test func runsWorkOnTheQueueInOrder() async {
        let marked = Marked()
        let isHere = marked.isHere
        let scheduler = DispatchScheduler(marked.queue)
        let order = Guarded<[Int]>([])
        let allHere = await withCheckedContinuation { continuation in
            for number in 0..<100 { scheduler.schedule { order.withLock { $0.append(isHere() ? number : -1) } } }
            scheduler.schedule { continuation.resume(returning: isHere()) }
        }
        #expect(allHere && order.withLock { $0 } == Array(0..<100))
        #expect("\(scheduler)" == "DispatchScheduler(weir.tests.dispatch)")
    }

    @Test func waitsForTheDeadline() async {
        let scheduler = DispatchScheduler(DispatchQueue(label: "weir.tests.deadline"))
        let start = scheduler.now
        let end = await withCheckedContinuation { continuation in
            scheduler.schedule(after: .milliseconds(5)) { continuation.resume(returning: scheduler.now) }
        }
        #expect(end - start >= .milliseconds(5))
    }

    @Test(arguments: [Duration.seconds(-9), .zero, .nanoseconds(-1)])
    func aDeadlineInThePastMeansAsSoonAsPossible(delay: Duration) async {
        let scheduler = DispatchScheduler(DispatchQueue(label: "weir.tests.past"))
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: delay) { continuation.resume() }
        }
        #expect(scheduler.now <= .now)
    }

    @Test(arguments: [Duration.seconds(1_000), .seconds(Int64.max / 1_000_000_000), .seconds(Int64.max)])
    func withdrawnWorkNeverRunsAndIsLetGoAtOnce(delay: Duration) {
        final class Held: Sendable {}
        let scheduler = DispatchScheduler(DispatchQueue(label: "weir.tests.withdrawn"))
        weak var held: Held?
        func schedule() -> ScheduledWork {
            let new = Held()
            held = new
            return scheduler.schedule(after: delay) { _ = new }
        }
        let work = schedule()
        #expect(held != nil)
        work.cancel()
        work.cancel()
        #expect(held == nil)
    }

    @Test func elementsKeepTheirOrderOnAConcurrentQueue() async throws {
        let queue = DispatchQueue(label: "weir.tests.concurrent", attributes: .concurrent)
        var all: [Int] = []
        let stream = Observable<Int, Never>(0..<20_000).receive(on: DispatchScheduler(queue), prefetch: 16)
        for await number in stream.values { all.append(number) }
        #expect(all == Array(0..<20_000))
    }

    @Test func delayRunsOnTheQueue() async throws {
        let marked = Marked()
        let isHere = marked.isHere
        // A timer that fires inside the request leaves its element with the thread that asks; the hop holds the place.
        let here = try await Observable<Int, Never>.just(1)
            .delay(for: .milliseconds(1), on: DispatchScheduler(marked.queue))
            .receive(on: DispatchScheduler(marked.queue))
            .map { _ in isHere() }.value
        #expect(here)
    }
}
