import Testing
import WeirTesting

/// Counts how often threads truly meet: one begins an operation while another is inside one. Its counters are relaxed:
/// they order nothing, so the thread sanitizer sees what the library orders.
package final class Meetings: Sendable {
    private let inside = Tally()
    private let calls = Tally()
    private let met = Tally()

    package init() {}

    /// How often they met.
    package var count: Int { met.value }

    /// An operation that is to meet others of its kind.
    package func callAsFunction<Answer>(_ operation: () throws -> Answer) rethrows -> Answer {
        let others = inside.add() - 1
        defer { inside.add(-1) }
        if others > 0 { met.add() }
        return try operation()
    }

    /// A handler that calls from outside are to meet. Now and then it lets others run while it is inside, or two cores
    /// would hardly ever meet.
    package func handler<Answer>(_ body: () -> Answer) -> Answer {
        inside.add()
        defer { inside.add(-1) }
        if calls.add() % 32 == 0 { Threads.pause() }
        return body()
    }
    /// Before the call with that number from outside any handler.
    package func look(_ number: Int) {
        if number % 32 == 0 { Threads.pause() }
        if inside.value > 0 { met.add() }
    }
}

/// Runs bodies on threads of their own that set off together, again and again, and counts how often their operations
/// truly overlapped: it prints that, and fails on zero. It blocks, so its suite is `.ownThread`.
///
/// - Parameters:
///   - rounds: how many, at least; more, up to a bound, until two have met.
///   - make: makes a round: its bodies, which put each operation into `meet { … }`, and what to check after them.
package func race(
    _ name: String, rounds: Int = 50, location: SourceLocation = #_sourceLocation,
    _ make: (_ meet: Meetings) -> (bodies: [@Sendable () -> Void], check: () -> Void)
) {
    let meet = Meetings()
    var round = 0
    while round < rounds || (meet.count == 0 && round < rounds * 40 + 100) {
        round += 1
        let (bodies, check) = make(meet)
        let arrived = Tally()
        let threads = bodies.map { body in
            TestThread {
                arrived.add()
                spin { arrived.value == bodies.count }
                body()
            }
        }
        for thread in threads { thread.join() }
        check()
    }
    print("race: \(name), operations met \(meet.count) times in \(round) rounds")
    #expect(meet.count > 0, "\(name): the threads never met", sourceLocation: location)
}

/// Runs one operation on several threads at once, and judges as the other `race` does.
///
/// - Parameter body: the operation, with the number of its thread and of its round there.
package func race(
    _ name: String, threads: Int, rounds: Int, location: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void
) async {
    let meet = Meetings()
    await onThreads(threads) { thread in
        for round in 0..<rounds { meet { body(thread, round) } }
    }
    print("race: \(name), operations met \(meet.count) times of \(threads * rounds)")
    #expect(meet.count > 0, "\(name): the threads never met", sourceLocation: location)
}
