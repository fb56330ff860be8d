import Foundation
import Testing
import WeirTestSupport

@testable import WeirCaching

@Suite(.ownThread) struct S3FIFOTests {
    @Test(arguments: [1, 2, 3, 5, 9, 10, 11, 25, 100])
    func everyAnswerIsTheModels(capacity: Int) {
        var numbers = Seeded(UInt64(capacity))
        for maximalCost in [1, 4, capacity + 1] {
            var model = PlainS3FIFO(capacity: capacity)
            let store = MemoryStore<Int, Int>(limit: capacity, shards: 4, now: { Date() }, listener: nil)
            var hits = 0
            for step in 0..<3_000 {
                let keys = 0..<3 * capacity
                let key = min(Int.random(in: keys, using: &numbers), Int.random(in: keys, using: &numbers))
                let cost = 1 + key % maximalCost
                let expected = model.hit(key)
                guard case .hit = store.find(key) else {
                    #expect(!expected, "step \(step)")
                    model.miss(key, cost: cost)
                    #expect(store.insert(CacheEntry(step), cost: cost, forKey: key) == (cost <= capacity))
                    #expect(store.used <= capacity)
                    continue
                }
                hits += 1
                #expect(expected, "step \(step)")
            }
            #expect(hits > 0)
            #expect(store.used == model.cost(model.small) + model.cost(model.main))
            #expect(store.count == model.small.count + model.main.count)
        }
    }

    struct Expected: Sendable, CustomStringConvertible {
        let trace: String
        let capacity: Int
        let requests: Int
        let misses: Int
        let cost: Int
        var description: String { "\(trace) in \(capacity)" }

        init?(_ line: some StringProtocol) {
            let parts = line.split(separator: ",")
            let numbers = parts.dropFirst().compactMap { Int($0) }
            guard parts.count == 5, numbers.count == 4 else { return nil }
            trace = String(parts[0])
            (capacity, requests, misses, cost) = (numbers[0], numbers[1], numbers[2], numbers[3])
        }
    }

    static let traces = ProcessInfo.processInfo.environment["WEIR_SHARED"].map { $0 + "/traces" }

    @Test(.enabled(if: traces != nil, "set WEIR_SHARED to the folder with traces/ to run the traces"))
    func tracesMissExactlyAsTheRulesSay() throws {
        let folder = try #require(Self.traces)
        let table = try String(contentsOfFile: folder + "/expected-misses.csv", encoding: .utf8)
        let rows = table.split(separator: "\n").compactMap { Expected($0) }
        #expect(rows.count >= 20)
        for (trace, rows) in Dictionary(grouping: rows, by: \.trace) {
            let requests = try Self.read(folder + "/\(trace).txt.gz")
            for row in rows {
                let (misses, cost) = Self.replay(requests, capacity: row.capacity)
                #expect(requests.count == row.requests, "\(row)")
                #expect(misses == row.misses, "\(row)")
                #expect(cost == row.cost, "\(row)")
            }
        }
    }

    private static func replay(_ requests: [(key: Int, cost: Int)], capacity: Int) -> (misses: Int, cost: Int) {
        let store = MemoryStore<Int, Void>(limit: capacity, now: { Date() }, listener: nil)
        var missedCost = 0
        for (key, cost) in requests {
            if case .hit = store.find(key) { continue }
            missedCost += cost
            _ = store.insert(CacheEntry(()), cost: cost, forKey: key)
        }
        return (store.statistics.misses, missedCost)
    }

    /// One request a line: a key, and its size where there is one.
    private static func read(_ path: String) throws -> [(key: Int, cost: Int)] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        process.standardOutput = pipe
        try process.run()
        let text = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return [UInt8](text).split(separator: 10).compactMap { line in
            let parts = line.split(separator: 32).map { $0.reduce(0) { $0 * 10 + Int($1) - 48 } }
            return parts.first.map { ($0, parts.count > 1 ? parts[1] : 1) }
        }
    }
}

/// The rules, written down once more in the plainest way: arrays, oldest first.
struct PlainS3FIFO {
    struct Item {
        var key: Int
        var cost: Int
        var frequency = 0
    }

    let capacity: Int
    private var smallTarget: Int { max(1, capacity / 10) }
    private(set) var small: [Item] = []
    private(set) var main: [Item] = []
    private var ghost: [Item] = []
    private var isWarming = true

    init(capacity: Int) { self.capacity = capacity }

    func cost(_ items: [Item]) -> Int { items.reduce(0) { $0 + $1.cost } }

    /// The keys it holds.
    var held: Set<Int> { Set((small + main).map(\.key)) }

    mutating func hit(_ key: Int) -> Bool {
        if let place = small.firstIndex(where: { $0.key == key }) {
            small[place].frequency = min(3, small[place].frequency + 1)
            return true
        }
        if let place = main.firstIndex(where: { $0.key == key }) {
            main[place].frequency = min(3, main[place].frequency + 1)
            return true
        }
        return false
    }

    mutating func miss(_ key: Int, cost: Int) {
        guard cost <= capacity else { return }
        let known = ghost.firstIndex { $0.key == key }
        if let known { ghost.remove(at: known) }
        while self.cost(small) + self.cost(main) + cost > capacity { evict() }
        let item = Item(key: key, cost: cost)
        let isMain = known != nil || isWarming && self.cost(small) >= smallTarget
        if isMain { main.append(item) } else { small.append(item) }
    }

    private mutating func evict() {
        isWarming = false
        if cost(main) > capacity - smallTarget || small.isEmpty {
            while var item = main.first {
                main.removeFirst()
                if item.frequency == 0 { return }
                item.frequency -= 1
                main.append(item)
            }
            return
        }
        while let item = small.first {
            small.removeFirst()
            if item.frequency >= 2 {
                main.append(item)
                continue
            }
            ghost.append(item)
            while cost(ghost) > capacity - smallTarget { ghost.removeFirst() }
            return
        }
    }
}
