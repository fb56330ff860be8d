import Testing
import Weir
import WeirTestSupport
import WeirTesting

@Suite struct ValuesTests {
    @Test(arguments: [0, 1, 63, 64, 65, 100_000]) func allComeInOrder(count: Int) async {
        var all: [Int] = []
        for await number in Observable<Int, Never>(0..<count).values { all.append(number) }
        #expect(all == Array(0..<count))
    }

    @Test func aFailureIsThrownAfterTheElements() async {
        let upstream = TestSource<Int, Boom>([1, 2], .fail(Boom()))
        var all: [Int] = []
        await #expect(throws: Boom()) {
            for try await number in upstream.observable.values { all.append(number) }
        }
        #expect(all == [1, 2])
    }

    @Test func demandIsObeyed() async throws {
        let upstream = TestSource<Int, Never>(Array(0..<100), .finish)
        var iterator = upstream.observable.values(prefetch: 4).makeAsyncIterator()
        #expect(upstream.calls == "attach, request 4")
        #expect(await iterator.next() == 0)
        let asked = upstream.requests.reduce(0) { $0 + $1.count }
        #expect(asked <= 8)
    }

    @Test func whatAHotSourceSendsAfterMakingTheIteratorIsKept() async {
        let subject = PublishSubject<Int, Never>()
        var iterator = subject.values.makeAsyncIterator()
        for number in 0..<1_000 { subject.send(number) }
        subject.send(completion: .finished)
        for number in 0..<1_000 { #expect(await iterator.next() == number) }
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func leavingTheLoopCancelsUpstream() async {
        let upstream = TestSource<Int, Never>(Array(0..<100), .silence)
        for await number in upstream.observable.values where number == 3 { break }
        #expect(upstream.cancels == 1)
    }

    @Test func cancellingTheTaskCancelsUpstreamAndEndsTheLoop() async {
        let upstream = TestSource<Int, Never>([1], .silence)
        let inside = Bell()
        let task = Task {
            var all: [Int] = []
            for await number in upstream.observable.values {
                all.append(number)
                inside.ring()
            }
            return all
        }
        await inside.wait()
        task.cancel()
        #expect(await task.value == [1] && upstream.cancels == 1)
    }

    @Test(.timeLimit(.minutes(5))) func cancellingEndsALoopThatAlwaysFindsAnElement() async {
        let inside = Bell()
        let task = Task {
            var count = 0
            for await _ in Observable<Int, Never>(0...).values {
                count += 1
                if count == 10 { inside.ring() }
            }
            return count
        }
        await inside.wait()
        task.cancel()
        #expect(await task.value >= 10)
    }

    @Test(arguments: [(1, 1), (64, 8)]) func afterCancelAtMostSevenThatWereThereAreYielded(
        _ prefetch: Int, _ expected: Int
    ) async {
        let upstream = TestSource<Int, Never>(Array(0..<64), .silence)
        let task = Task {
            var count = 0
            for await _ in upstream.observable.values(prefetch: prefetch) {
                count += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return count
        }
        #expect(await task.value == expected && upstream.cancels == 1)
    }

    @Test func aSubjectThatIsDroppedEndsTheLoop() async {
        var subject: PublishSubject<Int, Never>? = PublishSubject()
        var iterator = (subject?.observable ?? .never()).map { $0 * 10 }.values.makeAsyncIterator()
        subject?.send(1)
        subject = nil
        #expect(await iterator.next() == 10)
        #expect(await iterator.next() == nil)
    }

    @Test func droppedSubjectsEndALoopThroughManyStages() async {
        var subjects = (0..<2).map { _ in PublishSubject<Int, Never>() }
        let streams = subjects.map(\.observable)
        let chain = zip(streams[0], streams[1]).map { $0.0 + $0.1 }.merge(
            with: combineLatest(streams[0], streams[1]).map { $0.0 }
        )
        .flatMap { Observable<Int, Never>.just($0) }.share().debounce(for: .zero, on: .immediate)
        .receive(on: .immediate).values
        var iterator = chain.makeAsyncIterator()
        for subject in subjects { subject.send(1) }
        subjects = []
        var all: [Int] = []
        while let number = await iterator.next() { all.append(number) }
        #expect(all.contains(2) || all.contains(1))
    }

    @Test func aProducerAndAReaderOnTwoThreads() async {
        let subject = PublishSubject<Int, Never>()
        var iterator = subject.values.makeAsyncIterator()
        let thread = TestThread {
            for number in 0..<20_000 { subject.send(number) }
            subject.send(completion: .finished)
        }
        var expected = 0
        while let number = await iterator.next() {
            #expect(number == expected)
            expected += 1
        }
        thread.join()
        #expect(expected == 20_000 && "\(subject.values)" == "Values<Int, Never>")
    }
}
