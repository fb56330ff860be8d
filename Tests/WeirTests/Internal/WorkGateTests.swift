import Testing
import WeirTestSupport
import WeirTesting

@testable import Weir

extension WorkGate {
    fileprivate func taken(_ cut: @escaping @Sendable () -> Void) throws -> Pass {
        let pass = enter(cut: cut)
        return try #require(pass)
    }
}

/// What closes in order: no work is lost, refused work never begins, and the end is told once.
@Suite(.ownThread) struct WorkGateTests {
    let clock = VirtualClock()

    @Test func itRefusesThenDrainsThenCuts() throws {
        let gate = WorkGate()
        let log = Log()
        let one = try gate.taken({ log.add("one is cut") })
        let two = try gate.taken({ log.add("two is cut") })
        gate.close(within: .seconds(2), on: clock) { log.add("closed") }
        #expect(!gate.isOpen && !gate.isCut && gate.enter(cut: {}) == nil)
        let part = gate.enter(isPart: true, cut: { log.add("part is cut") })
        gate.leave(one)
        clock.advance(by: .seconds(2))
        #expect(log.all == ["two is cut", "part is cut"] && gate.isCut)
        #expect(gate.enter(isPart: true, cut: {}) == nil)
        gate.leave(two)
        gate.leave(two)
        #expect(log.all.count == 2)
        gate.leave(try #require(part))
        gate.close(within: .zero, on: clock) { log.add("closed again") }
        #expect(log.all.suffix(2) == ["closed", "closed again"])
    }

    @Test func theDeadlineIsWithdrawnWhenTheWorkEnds() throws {
        let gate = WorkGate()
        let pass = try gate.taken({ Issue.record("cut") })
        for _ in 0..<3 { gate.close(within: .seconds(2), on: clock) {} }
        #expect(clock.scheduledCount == 3)
        gate.leave(pass)
        #expect(clock.scheduledCount == 0)
    }

    @Test func twoThreadsThatEnterAndCloseRace() {
        race("enter and close", rounds: 300) { meet in
            let gate = WorkGate()
            let (cut, told) = (Counter(), Counter())
            let work: @Sendable () -> Void = {
                for _ in 0..<50 {
                    meet { if let pass = gate.enter(cut: { cut.add() }) { gate.leave(pass) } }
                }
            }
            let close: @Sendable () -> Void = {
                for _ in 0..<5 { meet { gate.close(within: .zero, on: ImmediateScheduler()) { told.add() } } }
            }
            return (
                [work, close],
                {
                    let isRefused = gate.enter(cut: {}) == nil
                    #expect(told.value == 5 && cut.value <= 1 && isRefused)
                }
            )
        }
    }
}
