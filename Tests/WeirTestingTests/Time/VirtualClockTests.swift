import Testing
import WeirTesting

/// Collects what a test's closures say, in order.
final class Notes: Sendable {
    private let lines = Lock<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

@Suite struct VirtualClockTests {
    let clock = VirtualClock()
    let notes = Notes()

    func note(_ name: String) -> @Sendable () -> Void {
        { [clock, notes] in notes.add("\(name)@\(clock.now.frame)") }
    }

    @Test func workRunsAtItsInstantAndInOrderAtOneInstant() {
        clock.schedule(after: .frames(5), note("late"))
        clock.schedule(after: .frames(2), note("first"))
        clock.schedule(after: .frames(2), note("second"))
        clock.schedule(note("now"))
        #expect(notes.all == [])
        clock.advance(by: .zero)
        #expect(notes.all == ["now@0"])
        clock.advance(by: .frames(4))
        #expect(notes.all == ["now@0", "first@2", "second@2"])
        #expect(clock.now == .frame(4) && clock.scheduledCount == 1)
        clock.advance(to: .frame(5))
        #expect(notes.all.last == "late@5")
        #expect("\(clock)" == "VirtualClock(0.005 seconds, 0 scheduled)")
    }

    @Test func nestedWorkRunsInTheSameCall() throws {
        clock.schedule(after: .frames(1)) { [clock, note] in
            note("outer")()
            clock.schedule(note("same instant"))
            clock.schedule(after: .frames(2), note("later"))
            clock.schedule(at: .frame(-7), note("past"))
        }
        clock.schedule(after: .frames(1), note("behind"))
        try clock.run()
        #expect(notes.all == ["outer@1", "behind@1", "same instant@1", "past@1", "later@3"])
        #expect(clock.now == .frame(3))
    }

    @Test func workMayMoveTheClock() {
        clock.schedule(after: .frames(1)) { [clock, note] in
            clock.advance(by: .frames(5))
            note("moved")()
        }
        clock.schedule(after: .frames(2), note("inside"))
        clock.advance(by: .frames(3))
        #expect(notes.all == ["inside@2", "moved@6"])
        #expect(clock.now == .frame(6))
        clock.advance(to: .frame(1))
        #expect(clock.now == .frame(6))
    }

    @Test func withdrawnWorkNeverRuns() {
        let kept = (0..<300).map { index in clock.schedule(after: .frames(index % 7), note("\(index)")) }
        for (index, work) in kept.enumerated() where index != 150 { work.cancel() }
        kept[0].cancel()
        #expect(clock.scheduledCount == 1)
        clock.advance(by: .frames(10))
        #expect(notes.all == ["150@3"])
        kept[150].cancel()
    }

    @Test func withdrawnWorkIsReleased() {
        final class Canary: Sendable {}
        var canary: Canary? = Canary()
        weak let weakly = canary
        let work = clock.schedule(after: .frames(1)) { [canary] in _ = canary }
        canary = nil
        #expect(weakly != nil)
        work.cancel()
        #expect(weakly == nil)
    }

    @Test func endlessWorkIsAnError() throws {
        @Sendable func again(_ clock: VirtualClock) { clock.schedule(after: .frames(1)) { again(clock) } }
        again(clock)
        let error = try #require(throws: EndlessWork.self) { try clock.run(limit: 1_000) }
        #expect(error.ran == 1_000 && error.waiting == 1 && error.now == .frame(1_000))
        #expect("\(error)".hasPrefix("VirtualClock.run() stopped after 1000 pieces of work at 1.0 seconds: 1 still"))
    }

    @Test func exactlyTheLimitIsNoError() throws {
        for index in 0..<10 { clock.schedule(after: .frames(index), note("\(index)")) }
        try clock.run(limit: 10)
        #expect(notes.all.count == 10)
    }

    @Test func manyTimersStayOrdered() throws {
        var generator = Steps(state: 42)
        for index in 0..<5_000 {
            let frame = Int(generator.next() % 100)
            clock.schedule(at: .frame(frame)) { [notes] in notes.add("\(frame) \(index)") }
        }
        try clock.run()
        let keys = notes.all.map { line in line.split(separator: " ").compactMap { Int($0) } }
        #expect(keys.count == 5_000)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0[0] < $1[0] || ($0[0] == $1[0] && $0[1] < $1[1]) })
    }

    struct Steps {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
