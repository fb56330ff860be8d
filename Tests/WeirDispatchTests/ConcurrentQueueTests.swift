import Dispatch
import Testing
import WeirDispatch
import WeirTestSupport
import WeirTesting

/// A scheduler whose work is seen to overlap.
private struct Metered<Base: Scheduler>: Scheduler {
    let base: Base
    let meet = Meetings()
    init(_ base: Base) { self.base = base }
    var now: Base.Instant { base.now }
    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule { meet { work() } } }
    func schedule(at deadline: Base.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        base.schedule(at: deadline) { meet { work() } }
    }
}

/// A concurrent queue runs pieces of work side by side; operators keep the order all the same.
@Suite(.ownThread) struct ConcurrentQueueTests {
    private let scheduler = Metered(
        DispatchScheduler(DispatchQueue(label: "weir.tests.side.by.side", attributes: .concurrent)))

    /// Runs until work has overlapped, a hundred rounds at most.
    private func rounds(_ name: String, _ round: () async -> Void) async {
        var count = 0
        while count < 5 || (scheduler.meet.count == 0 && count < 100) {
            count += 1
            await round()
        }
        print("race: \(name), work of the queue overlapped \(scheduler.meet.count) times in \(count) rounds")
        #expect(scheduler.meet.count > 0)
    }

    @Test func fourStreamsKeepTheirOrderEachWhereThreadsMeet() async {
        await rounds("four streams on a concurrent queue") {
            let streams = (0..<4).map { stream in
                Observable<Int, Never>(0..<2_000).map { stream * 10_000 + $0 }.receive(on: scheduler, prefetch: 8)
            }
            var lanes = [[Int]](repeating: [], count: 4)
            for await number in Observable.merge(streams).values { lanes[number / 10_000].append(number % 10_000) }
            #expect(lanes.allSatisfy { $0 == Array(0..<2_000) })
        }
    }

    @Test func hopAfterHopWhereThreadsMeet() async {
        await rounds("three hops on a concurrent queue") {
            let stream = Observable<Int, Never>(0..<3_000).receive(on: scheduler, prefetch: 4)
                .receive(on: scheduler, prefetch: 16).receive(on: scheduler, prefetch: 64)
            var all: [Int] = []
            for await number in stream.values { all.append(number) }
            #expect(all == Array(0..<3_000))
        }
    }

    @Test func delaysWhereThreadsMeet() async {
        await rounds("delays on a concurrent queue") {
            let streams = (0..<4).map { stream in
                Observable<Int, Never>(0..<500).receive(on: scheduler, prefetch: 4)
                    .delay(for: .microseconds(50), on: scheduler).map { stream * 10_000 + $0 }
            }
            var lanes = [[Int]](repeating: [], count: 4)
            for await number in Observable.merge(streams).values { lanes[number / 10_000].append(number % 10_000) }
            #expect(lanes.allSatisfy { $0 == Array(0..<500) })
        }
    }
}
