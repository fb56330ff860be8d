import Testing
import Weir
import WeirTestSupport
import WeirTesting

/// Counts up, and counts how often it was asked.
private struct Numbers: AsyncSequence, Sendable {
    let count: Int
    var failure: Boom?
    let pulls = Guarded(0)
    var asked: Int { pulls.withLock { $0 } }

    struct Iterator: AsyncIteratorProtocol {
        let numbers: Numbers
        var index = 0
        mutating func next() async throws(Boom) -> Int? { try await next(isolation: nil) }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(Boom) -> Int? {
            numbers.pulls.withLock { $0 += 1 }
            index += 1
            if index <= numbers.count { return index }
            if let failure = numbers.failure { throw failure }
            return nil
        }
    }
    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
}

@Suite(.timeLimit(.minutes(5))) struct FromAsyncSequenceTests {
    private func probe(_ numbers: Numbers, _ demand: Demand, uses: @escaping @Sendable (Int) -> Bool = { _ in true })
        -> (
            Probe<Int, Boom>, Bell, Bell
        )
    {
        let each = Bell()
        let done = Bell()
        let probe = Probe(
            Observable<Int, Boom>(numbers), demand, uses: uses, onNext: { _, _ in each.ring() },
            onDone: { _ in done.ring() })
        return (probe, each, done)
    }

    @Test(arguments: [0, 1, 3, 10_000]) func pushesAll(count: Int) async {
        let (probe, _, done) = probe(Numbers(count: count), .unbounded)
        await done.wait()
        #expect(probe.elements == Array(1..<(count + 1)) && probe.end == .finished && probe.faults == ProbeFaults())
        await until { probe.isReleased }
    }

    @Test func aFailurePasses() async {
        let (probe, _, done) = probe(Numbers(count: 2, failure: Boom()), .unbounded)
        await done.wait()
        #expect(probe.text == "1 2 #boom")
    }

    @Test func pullsOneAheadOfDemandAndTheEndNeedsNone() async {
        let numbers = Numbers(count: 3)
        let (probe, each, done) = probe(numbers, 1)
        await each.wait(1)
        #expect(probe.text == "1" && numbers.asked <= 2)
        probe.request(2)
        await done.wait()
        #expect(probe.text == "1 2 3 |" && numbers.asked == 4)
    }

    @Test func anUnusedElementCostsNoDemand() async {
        let (probe, each, _) = probe(Numbers(count: 9), 1, uses: { $0 == 5 })
        await each.wait(5)
        #expect(probe.text == "1 2 3 4 5")
        probe.cancel()
    }

    @Test func cancelWhileItWaitsForDemandEndsTheTask() async {
        let numbers = Numbers(count: 9)
        let (probe, each, _) = probe(numbers, 1)
        await each.wait(1)
        probe.release()
        #expect(probe.text == "1" && probe.isReleased)
        probe.request(5)
        #expect(probe.text == "1")
    }

    @Test func cancelInsideTheHandlerStops() async {
        let inside = Bell()
        let numbers = Numbers(count: .max)
        let probe = Probe(
            Observable<Int, Boom>(numbers), .unbounded,
            onNext: { probe, element in
                guard element == 3 else { return }
                probe.cancel()
                inside.ring()
            })
        await inside.wait()
        #expect(probe.text == "1 2 3")
    }

    @Test func cancelReachesASequenceThatWaits() async {
        let (stream, _) = AsyncStream<Int>.makeStream()
        let ended = Bell()
        struct Watched: AsyncSequence, Sendable {
            let base: AsyncStream<Int>
            let ended: Bell
            struct Iterator: AsyncIteratorProtocol {
                var base: AsyncStream<Int>.Iterator
                let ended: Bell
                mutating func next() async -> Int? { await next(isolation: nil) }
                mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
                    let element = await base.next(isolation: actor)
                    if element == nil { ended.ring() }
                    return element
                }
            }
            func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), ended: ended) }
        }
        let probe = Probe(Observable<Int, Never>(Watched(base: stream, ended: ended)), .unbounded)
        probe.cancel()
        probe.release()
        let late = Probe(Observable<Int, Never>(Watched(base: stream, ended: ended)), .unbounded)
        late.cancel()
        await ended.wait()
        #expect(probe.text == "" && probe.isReleased)
    }
}
