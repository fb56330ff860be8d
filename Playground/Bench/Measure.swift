// How a row is measured: one repetition to warm up, then several, each timed as a whole.

import CWeirBenchAllocations
import Foundation

/// What a row took.
struct Measurement: Sendable {
    /// Nanoseconds for each unit.
    let median: Double
    let minimum: Double
    /// Allocations for each unit, where they are counted: on glibc, and where one thread does all the work.
    let allocations: Double?
    /// What a repetition answered instead of what was expected: something was lost.
    let wrongAnswer: Int?

    /// - Parameter repetitions: timed ones; their times are sorted, so the median is one of them.
    init(of row: Row, repetitions: Int = 15) {
        let body = row.prepare()
        var wrongAnswer: Int?
        var times: [Double] = []
        var allocations = Int.max
        for round in 0...repetitions {
            let (answer, nanoseconds, allocated) = Self.time(body, row.time)
            if let expected = row.expected, answer != expected { wrongAnswer = answer }
            if round == 0 { continue }
            times.append(Double(nanoseconds) / Double(row.units))
            allocations = min(allocations, allocated)
        }
        times.sort()
        median = times[times.count / 2]
        minimum = times[0]
        self.allocations = allocations < 0 || row.time != .thread ? nil : Double(allocations) / Double(row.units)
        self.wrongAnswer = wrongAnswer
    }

    @inline(never)
    private static func time(_ body: () -> Int, _ time: Row.Time) -> (answer: Int, nanoseconds: Int, allocated: Int) {
        let clock =
            switch time {
            case .thread: CLOCK_THREAD_CPUTIME_ID
            case .process: CLOCK_PROCESS_CPUTIME_ID
            case .wall: CLOCK_MONOTONIC
            }
        let allocated = bench_allocations()
        let start = nanoseconds(clock)
        let answer = body()
        let end = nanoseconds(clock)
        if allocated < 0 { return (answer, end - start, -1) }
        return (answer, end - start, bench_allocations() - allocated)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
