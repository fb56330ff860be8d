import Dispatch
import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ValueTests {
    @Test func exactlyOneElement() async throws {
        #expect(try await Observable<Int, Never>.just(7).value == 7)
        await #expect(throws: NotOneElement.none) { try await Observable<Int, Never>.empty().value }
        await #expect(throws: NotOneElement.several) { try await Observable<Int, Never>([1, 2, 3]).value }
        await #expect(throws: Boom()) { try await Observable<Int, Boom>.fail(Boom()).value }
        await #expect(throws: Boom()) { try await TestSource<Int, Boom>([1], .fail(Boom())).observable.value }
    }

    @Test func aSecondElementCancelsUpstream() async {
        let upstream = TestSource<Int, Never>([1, 2], .silence)
        await #expect(throws: NotOneElement.several) { try await upstream.observable.value }
        #expect(upstream.cancels == 1)
    }

    @Test func theErrorsSayWhatToDo() {
        #expect("\(NotOneElement.none)".contains("`first`") && "\(NotOneElement.several)".contains("`first`"))
    }

    @Test(arguments: [[], [1]]) func cancellingTheTaskThrowsAndCancelsUpstream(elements: [Int]) async {
        let upstream = TestSource<Int, Never>(elements, .silence)
        let started = Bell()
        let stream = upstream.observable
        let task = Task {
            let watched = Observable<Int, Never> { observer in
                started.ring()
                return stream.attach(observer)
            }
            return try await watched.value
        }
        await started.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(upstream.cancels == 1)
    }

    @Test func firstTakesOneAndCancels() async {
        let upstream = TestSource<Int, Never>([1, 2, 3], .finish)
        #expect(await upstream.observable.first == 1)
        #expect(upstream.calls == "attach, request 1, cancel")
        #expect(await Observable<Int, Never>.empty().first == nil)
        do throws(Boom) {
            let none = try await Observable<Int, Boom>.fail(Boom()).first
            Issue.record("\(none as Any) came of a stream that fails")
        } catch {
            #expect(error == Boom())
        }
    }

    @Test(arguments: [0, 1, 64, 65, 100_000]) func collectAnswersAllInOrder(count: Int) async {
        #expect(await Observable<Int, Never>(0..<count).collect() == Array(0..<count))
    }

    @Test func collectThrowsTheFailureOfTheStreamAlone() async {
        do throws(Boom) {
            let all = try await TestSource<Int, Boom>([1, 2], .fail(Boom())).observable.collect()
            Issue.record("\(all) came of a stream that fails")
        } catch {
            #expect(error == Boom())
        }
    }

    @Test func collectAsksForSomeAtATime() async {
        let upstream = TestSource<Int, Never>(Array(0..<200), .finish)
        #expect(await upstream.observable.collect().count == 200)
        #expect(upstream.requests.count > 2 && upstream.requests.allSatisfy { $0.count <= 64 })
    }

    @Test func cancellingTheTaskOfCollectCancelsUpstreamAndAnswersWhatCame() async {
        let upstream = TestSource<Int, Never>([1, 2], .silence)
        let heard = Bell()
        let stream = upstream.observable.map { number in
            if number == 2 { heard.ring() }
            return number
        }
        let task = Task { await stream.collect() }
        await heard.wait()
        task.cancel()
        let all = await task.value
        #expect([[], [1], [1, 2]].contains(all) && upstream.cancels == 1)
    }

    @Test func whatIsThereIsTakenWithoutLeavingTheCallersActor() async throws {
        #expect(try await Caller().jobsOfTaking() == 0)
        #expect(await Caller().jobsOfYielding() == 1)
    }
}

/// Counts the pieces of work that its actor is given.
private final class CountingExecutor: SerialExecutor {
    let jobs = Counter()
    private let queue = DispatchQueue(label: "counting")
    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add()
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor Caller {
    private let executor = CountingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func jobsOfTaking() async throws -> Int {
        let before = executor.jobs.value
        let (sure, risky) = (Observable<Int, Never>.just(7), Observable<Int, Boom>.just(7))
        _ = (try await sure.value, await sure.first, await sure.collect())
        _ = (try await risky.value, try await risky.first, try await risky.collect())
        return executor.jobs.value - before
    }
    func jobsOfYielding() async -> Int {
        let before = executor.jobs.value
        await Task.yield()
        return executor.jobs.value - before
    }
}
