import Testing
import WeirTestSupport
import WeirTesting

/// Several threads on one thing, for the thread sanitizer above all: handlers touch state that nothing but the library's
/// own order protects. Each race counts how often threads truly met, and fails on zero.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RaceTests {
    let meetings = Meetings()
    let leaks = Leaks()

    /// Four threads send; handlers send, subscribe and cancel from inside; all see one order and nothing is lost.
    @Test(arguments: Hot.allCases) func oneOrderForAll(hot: Hot) async throws {
        let perThread = raceEvents / 4
        let meet = hot.make()
        let first = Guarded<[Int]>([])
        let others = [Guarded<[Int]>([]), Guarded<[Int]>([])]
        let visits = Guarded<[[Int]]>([])
        let seen = Guarded<[(sent: Int, value: Int)]>([])
        let victim = Victim(meet.stream, leaks)
        @Sendable func look(after element: Int) {
            if let value = meet.value() { seen.withLock { $0.append((element, value)) } }
        }
        let tokens = [
            recorder(meet.stream, meetings, leaks, into: first) { element in
                if element > 0 && element != lastElement && element % 1_000 == 7 { meet.send(element % 4, -element) }
                if element % 500 == 3 { look(after: element) }
            },
            recorder(meet.stream, meetings, leaks, into: others[0]) { [leaks] element in
                if element > 0 && element % 2_000 == 11 { visit(meet.stream, leaks, visits) }
                if element > 0 && element % 3_000 == 13 { victim.replace() }
            },
            recorder(meet.stream, meetings, leaks, into: others[1]),
        ]
        await onThreads(4) { [meetings] thread in
            for index in 0..<perThread {
                meetings.look(index)
                meet.send(thread, thread * perThread + index)
                if index % 500 == 5 { look(after: thread * perThread + index) }
            }
        }
        meet.send(0, lastElement)
        victim.stop()
        let order = first.withLock { $0 }
        #expect(others.allSatisfy { $0.withLock { $0 } == order }, "the subscribers saw different orders")
        var lanes = [[Int]](repeating: [], count: 4)
        for element in order where element >= 0 && element != lastElement { lanes[element / perThread].append(element) }
        for thread in 0..<4 {
            #expect(
                lanes[thread] == Array(thread * perThread..<(thread + 1) * perThread), "thread \(thread) lost its order"
            )
        }
        let feedback = order.filter { $0 < 0 && $0 != hot.start }
        #expect(feedback.count == order.filter { $0 > 0 && $0 != lastElement && $0 % 1_000 == 7 }.count)
        let place = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        for visit in visits.withLock({ $0 }) {
            let start = try #require(place[visit[0]])
            #expect(Array(order[start..<start + visit.count]) == visit, "a newcomer missed something")
        }
        #expect(visits.withLock { $0 }.count > 0 && victim.replacements.value > 1)
        #expect(victim.late.value == 0, "a handler was called after a cancel on the emitting thread")
        // What was sent, or is in hand, has been the value by now.
        let looks = seen.withLock { $0 }
        let behind = looks.count { place[$0.value] ?? -1 < place[$0.sent] ?? -1 }
        #expect(behind == 0, "of \(looks.count) times \(behind) the value was older than what had been sent")
        #expect(looks.isEmpty == (hot != .behaviorSubject) && meet.value() ?? lastElement == lastElement)
        print(
            "race: \(order.count) events to a \(hot) from 4 threads, \(meetings.count) sends met another's delivery,",
            "\(feedback.count) sends, \(visits.withLock { $0 }.count) newcomers and \(victim.replacements.value) cancels inside"
        )
        #expect(meetings.count > 0)
        for token in tokens { token.cancel() }
        #expect(leaks.alive == 0, "\(leaks)")
    }

    /// Threads feed an operator's upstreams while another asks for more, element by element.
    @Test(arguments: Join.allCases, [false, true])
    func joinsLoseNothing(join: Join, isBounded: Bool) async {
        // On a busy machine two threads may miss each other for a whole round.
        var rounds = 0
        repeat {
            rounds += 1
            await feed(join, isBounded)
        } while meetings.count == 0 && rounds < 50
        print(
            "race: \(join)\(isBounded ? ", bounded" : ""), \(meetings.count) calls met a delivery in \(rounds) rounds")
        #expect(meetings.count > 0)
    }

    private func feed(_ join: Join, _ isBounded: Bool) async {
        let count = fewerEvents / 40
        let sources = (0..<join.width).map { _ in PublishSubject<Int, Never>() }
        let result = Guarded<[Int]?>(nil)
        let meetings = meetings
        let subscription = attachRecorder(join.make(sources.map(\.observable)), meetings, leaks, into: result)
        subscription.request(isBounded ? 1 : .unbounded)
        await onThreads(join.width + (isBounded ? 1 : 0)) { thread in
            guard thread < join.width else {
                for number in 0..<count * 4 {
                    meetings.look(number)
                    subscription.request(1)
                }
                return
            }
            for index in 0..<count {
                meetings.look(index)
                sources[thread].send(thread * count + index)
            }
        }
        for source in sources { source.send(completion: .finished) }
        subscription.request(.unbounded)
        let problem = result.withLock { $0 }.map { join.problem($0, count) } ?? "it did not end"
        #expect(problem == nil, "\(problem ?? "")")
        #expect(leaks.alive == 0, "\(join) keeps a handler after the end: \(leaks)")
    }

    /// One thread cancels while others send: nothing is called much later, and everything is freed.
    @Test(arguments: Join.allCases) func cancelFreesEverything(join: Join) async {
        var rounds = 0
        while rounds < 30 || (meetings.count == 0 && rounds < 1_000) {
            rounds += 1
            let sources = (0..<join.width).map { _ in PublishSubject<Int, Never>() }
            let started = Tally()
            let token = recorder(join.make(sources.map(\.observable)), meetings, leaks, into: Guarded([])) { _ in
                started.add()
            }
            await onThreads(join.width + 1) { [meetings] thread in
                guard thread < join.width else {
                    spin(atMost: .milliseconds(200)) { started.value >= 3 }
                    meetings.look(1)
                    return token.cancel()
                }
                for index in 0..<500 {
                    meetings.look(index)
                    sources[thread].send(index)
                }
            }
            token.cancel()
            #expect(leaks.alive == 0, "\(join) keeps a handler after a cancel: \(leaks)")
        }
        print("race: cancel of \(join), \(meetings.count) calls met a delivery")
        #expect(meetings.count > 0)
    }

    /// Two threads feed and one asks, the pool delivers: order is kept, the end comes last, handlers never overlap.
    @Test(arguments: [2, 256], [false, true])
    func receiveOnKeepsOrder(prefetch: Int, isBounded: Bool) async {
        let count = fewerEvents / 8
        let subject = PublishSubject<Int, Never>()
        let result = Guarded<[Int]?>(nil)
        let meetings = meetings
        let subscription = attachRecorder(
            subject.observable.receive(on: .continuous, prefetch: prefetch), meetings, leaks, into: result)
        subscription.request(isBounded ? 1 : .unbounded)
        await onThreads(3) { thread in
            for index in 0..<count {
                meetings.look(index)
                if thread < 2 { subject.send(thread * count + index) } else if isBounded { subscription.request(1) }
            }
        }
        subject.send(completion: .finished)
        subscription.request(.unbounded)
        await until { result.withLock { $0 } != nil }
        let order = result.withLock { $0 } ?? []
        #expect(order.count == 2 * count)
        for thread in 0..<2 {
            let own = order.filter { $0 / count == thread }
            #expect(own == Array(thread * count..<(thread + 1) * count), "thread \(thread) lost its order")
        }
        print(
            "race: receive(on:) with prefetch \(prefetch)\(isBounded ? ", bounded" : ""),",
            "\(meetings.count) calls met a delivery on the pool")
        #expect(meetings.count > 0)
        await until { [leaks] in leaks.alive == 0 }
    }
}
