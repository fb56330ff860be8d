import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite(.ownThread) struct RetryTests {
    let clock = VirtualClock()

    /// Fails that many times, each time after the elements, then gives 9.
    private func flaky(_ failures: Int, _ elements: [Int] = []) -> (stream: Observable<Int, Boom>, attempts: Counter) {
        let attempts = Counter()
        let stream = Observable<Int, Boom>.create { emitter in
            attempts.add()
            if attempts.value > failures {
                emitter.send(9)
                emitter.finish()
            } else {
                for element in elements { emitter.send(element) }
                emitter.fail(Boom(code: attempts.value))
            }
        }
        return (stream, attempts)
    }

    @Test func rules() {
        expectRules("1 2 3 |") { $0.retry(0) }
        expectRules("1 2 3 |") { $0.retry(1, if: { _ in false }) }
    }

    @Test(arguments: [
        (0, "#boom1", 1), (-1, "#boom1", 1), (2, "#boom3", 3), (3, "9 |", 4), (.max, "9 |", 4),
    ])
    func aCountOfRetriesInARow(count: Int, came: String, attempts: Int) {
        let (stream, made) = flaky(3)
        #expect(Probe(stream.retry(count), .unbounded).text == came)
        #expect(made.value == attempts)
    }

    @Test func anElementSetsTheCountBack() {
        let (stream, attempts) = flaky(5, [1])
        #expect(Probe(stream.retry(1), .unbounded).text == "1 1 1 1 1 9 |")
        #expect(attempts.value == 6)
    }

    @Test func anElementThatIsRefusedCountsToo() {
        let (stream, _) = flaky(3, [1])
        #expect(Probe(stream.retry(1).filter { $0 == 9 }, .unbounded).text == "9 |")
    }

    @Test func eachSubscriptionCountsForItself() {
        let broken = Observable<Int, Boom>.fail(Boom()).retry(2)
        for _ in 0..<3 { #expect(Probe(broken, 1).text == "#boom") }
    }

    @Test func whatIsNotWorthwhilePassesAtOnce() {
        let (stream, attempts) = flaky(3)
        #expect(Probe(stream.retry(if: { $0.code < 2 }), .unbounded).text == "#boom2")
        #expect(attempts.value == 2)
    }

    @Test func whatIsLeftOfTheDemandGoesToTheNextAttempt() {
        let (stream, _) = flaky(2, [1, 2])
        let probe = Probe(stream.retry(1), 3)
        #expect(probe.text == "1 2 1")
        probe.request(2)
        #expect(probe.text == "1 2 1 2 9 |")
    }

    @Test func aHundredThousandRetriesNeedNoStack() {
        onThread {
            let attempts = Counter()
            let source = Observable<Int, Boom>.create { emitter in
                attempts.add()
                if attempts.value == 100_000 { emitter.finish() } else { emitter.fail(Boom()) }
            }
            #expect(Probe(source.retry(), 1).text == "|")
            #expect(attempts.value == 100_000)
        }
    }

    @Test func itWaitsBeforeEachRetryAndCancelWithdrawsTheWait() {
        let (stream, attempts) = flaky(9)
        let times = Log()
        let noted = stream.mapError { boom in
            times.add("\(clock.now.frame)")
            return boom
        }
        let waits = Backoff.exponential(from: .frames(2), factor: 3, upTo: .frames(10), jitter: 0)
        let probe = Probe(noted.retry(backoff: waits, on: clock), .unbounded)
        clock.advance(by: .frames(40))
        #expect("\(times)" == "0, 2, 8, 18, 28, 38")
        probe.release()
        #expect(clock.scheduledCount == 0 && attempts.value == 6 && probe.isReleased)
    }

    @Test func cancelInsideAnAttemptStopsIt() {
        let (stream, attempts) = flaky(.max, [1])
        let probe = Probe(stream.retry(), .unbounded, onNext: { probe, _ in probe.cancel() })
        #expect(probe.text == "1" && attempts.value == 1)
    }

    @Test(arguments: [
        (1, 0.0, 2.0), (2, 0, 4), (5, 0, 10), (.max, 0, 10), (0, 0, 2), (-3, 0, 2), (1, 0.5, 1.5), (2, 0.999, 2.002),
    ])
    func aWaitGrowsUpToTheLongestLessChance(retry: Int, chance: Double, seconds: Double) {
        let backoff = Backoff.exponential(from: .seconds(2), upTo: .seconds(10), random: { chance })
        let expected = Duration.seconds(seconds)
        #expect(abs((backoff.wait(before: retry) - expected) / .seconds(1)) < 1e-6)
    }

    @Test func oddWaitsAreNone() {
        #expect(Backoff.constant(.seconds(-1)).wait(before: 1) == .zero)
        #expect(Backoff.constant(.seconds(3)).wait(before: 7) == .seconds(3))
        #expect(Backoff.exponential(from: .seconds(1), upTo: .zero).wait(before: 3) == .zero)
        #expect(Backoff.exponential(from: .seconds(1), factor: -.infinity, jitter: -3).wait(before: 4) == .seconds(1))
        #expect(
            Backoff.exponential(from: .seconds(1), factor: .infinity, jitter: 7, random: { 9 }).wait(before: 4) == .zero
        )
        let second = Duration.seconds(1)
        #expect(Backoff.exponential(from: second, jitter: .nan).wait(before: 1) == second)
        #expect(Backoff.exponential(from: second, random: { .nan }).wait(before: 1) == second)
        #expect(Backoff.exponential(from: second, factor: .nan, jitter: 0).wait(before: 9) == second)
        let endless = Backoff.exponential(from: second, upTo: Duration(attoseconds: .max), jitter: 0)
        #expect(endless.wait(before: 500) == .seconds(1 << 32))
        #expect(Backoff.constant(Duration(attoseconds: .max)).wait(before: 1) == .seconds(1 << 32))
        #expect("\(Backoff.constant(.seconds(3)))" == "Backoff(3.0 seconds × 1.0 up to 3.0 seconds, jitter 0.0)")
    }
}
