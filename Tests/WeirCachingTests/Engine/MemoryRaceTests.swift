import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

/// Contract 10: mixed operations from eight threads, and the account is exact to the last unit of cost.
@Suite(.ownThread) struct MemoryRaceTests {
    /// The sanitizer makes each some twenty times slower; `WEIR_RACE_OPERATIONS` says another number.
    static let operations = setting("WEIR_RACE_OPERATIONS", or: 1_000_000, sanitized: 20_000)

    /// What went in and came out, in numbers and in cost.
    private struct Account {
        var entered = 0
        var enteredCost = 0
        var left: [RemovalCause: Int] = [:]
        var leftCost = 0
        /// Each entry has a number of its own, and leaves once.
        var numbers: Set<Int> = []
        var twice = 0
    }

    @Test(.timeLimit(.minutes(5))) func aMillionMixedOperationsFromEightThreadsKeepTheAccount() async {
        let out = Noted(Account())
        let into = (0..<8).map { _ in Noted(Account()) }
        let clock = HandClock()
        let store = MemoryStore<Int, Int>(limit: 2_000, now: clock.now) { _, entry, cause in
            out.change { account in
                account.left[cause, default: 0] += 1
                account.leftCost += entry.cost ?? 0
                if !account.numbers.insert(entry.value).inserted { account.twice += 1 }
            }
        }
        let rounds = Self.operations / 8
        let wrong = Noted(0)
        await race("a memory store with eight threads", threads: 8, rounds: rounds) { thread, round in
            let number = thread * rounds + round
            var random = Seeded(UInt64(number))
            let key = random.below(1_000)
            switch random.below(1_000) {
            case 0: store.clear(random.oneIn(2) ? .cleared : .pressure)
            case 1..<80: store.remove(key)
            case 80..<400:
                let cost = 1 + random.below(9)
                let expiry = random.oneIn(8) ? Date(timeIntervalSince1970: Double(random.below(100))) : nil
                let entry = CacheEntry(number * 1_000 + key, cost: cost, expiry: expiry)
                guard store.insert(entry, cost: cost, forKey: key) else {
                    wrong.change { $0 += 1 }
                    return
                }
                into[thread].change {
                    $0.entered += 1
                    $0.enteredCost += cost
                }
            case 400..<410: clock.set(Double(random.below(100)))
            default:
                if case .hit(let entry) = store.find(key), entry.value % 1_000 != key { wrong.change { $0 += 1 } }
            }
        }
        #expect(wrong.value == 0 && store.used <= 2_000)
        let account = out.value
        let left = account.left.values.reduce(0, +)
        #expect(account.twice == 0)
        #expect(into.reduce(0) { $0 + $1.value.entered } == left + store.count)
        #expect(into.reduce(0) { $0 + $1.value.enteredCost } == account.leftCost + store.used)
        for cause in RemovalCause.allCases {
            #expect(store.statistics.removals[cause] == account.left[cause, default: 0], "\(cause)")
            #expect(account.left[cause, default: 0] > 0 || cause == .corrupt, "\(cause) was never met")
        }
        store.clear(.cleared)
        #expect(store.used == 0 && store.count == 0)
        #expect(out.value.leftCost == into.reduce(0) { $0 + $1.value.enteredCost })
        print("account: \(left) of \(Self.operations) operations let an entry go, \(account.left)")
    }
}
