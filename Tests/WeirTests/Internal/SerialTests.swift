import Testing
import WeirTesting

@testable import Weir

/// What is posted at an awkward moment runs all the same, once, and the serialiser is free at the end.
@Suite struct SerialTests {
    @Test func whatIsPostedWhileABatchRunsRunsBehindIt() {
        let serial = Serial<Int>()
        var ran: [Int] = []
        var batches = 0
        check(serial.post(1))
        check(!serial.post(2))
        serial.drain(
            { item in
                ran.append(item)
                if item < 10 { check(!serial.post(item + 10)) }
            }, settle: { batches += 1 })
        #expect(ran == [1, 2, 11, 12] && batches == 2)
        expectFree(serial)
    }

    @Test func whatIsPostedWhileItSettlesRuns() {
        let serial = Serial<Int>()
        var ran: [Int] = []
        check(serial.post(1))
        serial.drain({ ran.append($0) }, settle: { if ran.count < 3 { _ = serial.post(ran.count + 1) } })
        #expect(ran == [1, 2, 3])
        expectFree(serial)
    }

    @Test func whatIsPostedWhileANestedBatchRunsRunsThereAndTheFrameBelowOwnsStill() {
        let serial = Serial<Int>()
        var ran: [Int] = []
        check(serial.enter())
        check(!serial.post(1))
        serial.drainNested { item in
            ran.append(item)
            if item < 4 { check(!serial.post(item + 1)) }
        }
        #expect(ran == [1, 2, 3, 4])
        check(serial.isCalm())
        check(!serial.enter())
        check(serial.leave())
        expectFree(serial)
    }

    /// The item goes with the batch, its count stays for the round after it.
    @Test func whatIsPostedBetweenAbsorbAndTakeRunsOnce() {
        let serial = Serial<Int>()
        check(serial.post(1))
        check(!serial.absorb())
        check(!serial.post(2))
        check(Array(serial.take()) == [1, 2])
        check(!serial.leave())
        check(serial.absorb())
        check(serial.take().isEmpty)
        check(serial.leave())
        expectFree(serial)
    }

    /// The count alone says that there is something more: who took the batch before must not let go.
    @Test func whatIsPostedBetweenTakeAndTheNextAbsorbKeepsTheOwner() {
        let serial = Serial<Int>()
        check(serial.post(1))
        check(!serial.absorb())
        check(Array(serial.take()) == [1])
        check(!serial.post(2))
        check(!serial.leave())
        check(serial.absorb())
        check(serial.isCalm())
        check(Array(serial.take()) == [2])
        check(serial.leave())
        expectFree(serial)
    }

    private func expectFree(_ serial: borrowing Serial<Int>, _ location: SourceLocation = #_sourceLocation) {
        check(serial.enter(), location)
        check(serial.take().isEmpty, location)
        check(serial.leave(), location)
    }
    /// `#expect` itself would copy the serialiser, to show it.
    private func check(_ holds: Bool, _ location: SourceLocation = #_sourceLocation) {
        #expect(holds, sourceLocation: location)
    }
}
