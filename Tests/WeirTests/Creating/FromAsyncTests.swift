import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct FromAsyncTests {
    @TaskLocal static var place = "nowhere"

    @Test func emitsTheValueThenFinishes() async throws {
        let stream = Observable<Int, Never> { 7 }
        #expect(try await stream.value == 7)
        #expect(await stream.first == 7)
    }

    @Test func aThrownFailureEnds() async {
        let stream = Observable<Int, Boom> { () async throws(Boom) -> Int in throw Boom() }
        await #expect(throws: Boom()) { try await stream.value }
    }

    @Test func nothingRunsBeforeTheFirstRequest() async {
        let runs = Counter()
        let done = Bell()
        let probe = Probe(
            Observable<Int, Never> {
                runs.add()
                return 1
            }, onDone: { _ in done.ring() })
        #expect(runs.value == 0)
        probe.request(1)
        probe.request(1)
        await done.wait()
        #expect(runs.value == 1 && probe.text == "1 |" && probe.isReleased)
    }

    @Test func cancelCancelsTheTaskAndSilences() async {
        let started = Bell()
        let ended = Bell()
        let probe = Probe(
            Observable<Int, Never> {
                started.ring()
                await untilCancelled()
                ended.ring()
                return 1
            }, 1)
        await started.wait()
        probe.cancel()
        #expect(probe.isReleased)
        await ended.wait()
        #expect(probe.text == "")
    }

    @Test func cancelBeforeTheRequestRunsNothing() {
        let runs = Counter()
        let probe = Probe(
            Observable<Int, Never> {
                runs.add()
                return 1
            })
        probe.release()
        probe.request(1)
        #expect(runs.value == 0 && probe.isReleased)
    }

    @Test func cancelInsideTheHandlerKeepsTheEndBack() async {
        let inside = Bell()
        let probe = Probe(
            Observable<Int, Never> { 1 }, 1,
            onNext: { probe, _ in
                probe.cancel()
                inside.ring()
            })
        await inside.wait()
        #expect(probe.text == "1")
    }

    @Test func taskLocalsAreTheSubscribers() async throws {
        let stream = Observable<String, Never> { Self.place }
        let place = try await Self.$place.withValue("here") { try await stream.value }
        #expect(place == "here")
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    let bell = Bell()
    await withTaskCancellationHandler {
        await bell.wait()
    } onCancel: {
        bell.ring()
    }
}
