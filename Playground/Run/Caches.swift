// Says what a cache would do, and what one did, without a program.
//
//     swift run Playground cache replay TRACE      hit ratio and time of a memory level for several capacities
//     swift run Playground cache check FOLDER      what stands in a disk level's folder, and what is wrong with it
//
// A line of a trace is a key, or a key and its bytes. Empty lines do not count.

import Foundation
import WeirCaching

struct Trace {
    var keys: [String] = []
    var costs: [Int] = []
    /// What all different keys cost together.
    var wholeCost = 0

    init(path: String) throws(FileFault) {
        let data = try TextFile.data(path)
        guard !data.starts(with: [0x1F, 0x8B]) else {
            throw FileFault(
                description: "\(path) is packed; unpack it first, as in: gunzip -c \(path) | … cache replay -")
        }
        var seen: Set<String> = []
        for (number, line) in TextFile.lines(data).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.isEmpty { continue }
            guard words.count <= 2, let cost = words.count == 2 ? Int(words[1]) : 1, (1...1 << 40).contains(cost) else {
                throw FileFault(
                    description: "\(path):\(number + 1): a line is a key, or a key and its bytes, not: \(line)")
            }
            keys.append(String(words[0]))
            costs.append(cost)
            if seen.insert(keys[keys.count - 1]).inserted { wholeCost += cost }
        }
        guard !keys.isEmpty else { throw FileFault(description: "\(path) has no key; write one a line") }
    }

    /// One line about a memory level of this capacity that serves the trace.
    func replay(capacity: Int) -> String {
        let level = MemoryLevel<String, Int>(limit: capacity)
        var (hits, missedCost) = (0, 0)
        let time = ContinuousClock().measure {
            for (key, cost) in zip(keys, costs) {
                if level.held(key) != nil {
                    hits += 1
                } else {
                    missedCost += cost
                    // What is over the limit is refused, and stays a miss.
                    try? level.insert(CacheEntry(cost, cost: cost), forKey: key)
                }
            }
        }
        let each = time / Double(keys.count) / Duration.nanoseconds(1)
        return String(
            format: "capacity %ld: %.2f %% hits, %ld of %ld; %ld misses cost %ld; %.0f ns a request", capacity,
            100 * Double(hits) / Double(keys.count), hits, keys.count, keys.count - hits, missedCost, each)
    }
}

extension Program {
    private static let cacheUsage = """
        swift run Playground cache replay TRACE [--capacity N[,N…]]
          TRACE          a key a line, or a key and its bytes; - reads standard input
          --capacity     in keys, or in bytes where the trace has them; otherwise shares of what all keys cost together
        swift run Playground cache check FOLDER [--repair]
          FOLDER         of a disk level; every record in it is read
          --repair       deletes what is damaged or left behind
        """

    /// 0 where all is well or mended, 1 where a file has a fault, 2 for a wrong call.
    static func cache(_ arguments: [String]) -> Int32 {
        let words = arguments.dropFirst()
        switch arguments.first {
        case "replay": return replay(Array(words))
        case "check": return check(Array(words))
        default: return wrongCall(arguments.first.map { "cache has no command \($0)" })
        }
    }

    private static func wrongCall(_ reason: String?) -> Int32 {
        complain((reason.map { $0 + "\n" } ?? "") + cacheUsage)
        return 2
    }

    private static func replay(_ words: [String]) -> Int32 {
        guard let path = words.first, path == "-" || !path.hasPrefix("-") else {
            return wrongCall("replay takes a trace")
        }
        var capacities: [Int] = []
        if words.count > 1 {
            guard words.count == 3, words[1] == "--capacity" else {
                return wrongCall(
                    "replay takes a trace and --capacity, not: \(words.dropFirst().joined(separator: " "))")
            }
            let numbers = words[2].split(separator: ",", omittingEmptySubsequences: false)
            capacities = numbers.compactMap { Int($0) }.filter { $0 > 0 }
            guard capacities.count == numbers.count else {
                return wrongCall("a capacity is a whole number over 0, not: \(words[2])")
            }
        }
        do throws(FileFault) {
            let trace = try Trace(path: path)
            if capacities.isEmpty { capacities = [100, 20, 10, 4, 2].map { max(1, trace.wholeCost / $0) } }
            for capacity in capacities { print(trace.replay(capacity: capacity)) }
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func check(_ words: [String]) -> Int32 {
        guard let folder = words.first, !folder.hasPrefix("-") else { return wrongCall("check takes a folder") }
        guard words.count == 1 || words.dropFirst() == ["--repair"] else {
            return wrongCall("check takes a folder and --repair, not: \(words.dropFirst().joined(separator: " "))")
        }
        do throws(DiskFailure) {
            let check = try DiskCheck(folder: folder)
            for item in check.items { print(item.line) }
            let faults = check.items.count(where: \.content.isFault)
            print(check.summary)
            guard words.count == 2, faults > 0 else { return faults == 0 ? 0 : 1 }
            let failures = check.repair(folder: folder)
            for failure in failures { complain("\(failure)") }
            print("deleted \(faults - failures.count) of \(faults) faults")
            return failures.isEmpty ? 0 : 1
        } catch {
            complain("\(error)")
            return 1
        }
    }
}

extension DiskCheck {
    fileprivate var summary: String {
        var (records, bytes) = (0, 0)
        for case .record(_, _, let size, _, _) in items.map(\.content) {
            records += 1
            bytes += size
        }
        let faults = items.count(where: \.content.isFault)
        return "\(records) records of \(bytes) bytes, \(faults) faults, \(items.count - records - faults) other files"
    }
}

extension DiskCheck.Item {
    fileprivate var line: String {
        let name = path.count > 20 ? "\(path.prefix(14))…" : path
        switch content {
        case .record(let key, let valueSize, _, _, let expires):
            let end = expires.map { ", expires \($0.ISO8601Format())" } ?? ""
            return "\(name)  \(Self.text(key)): \(valueSize) bytes\(end)"
        case .damaged(let why): return "\(name)  damaged: \(why)"
        case .stray: return "\(name)  left behind by a writer that is gone"
        case .foreign: return "\(name)  not a disk level's"
        case .unreadable(let failure): return "\(name)  cannot be read: \(failure)"
        }
    }

    /// A key as text where it is text, else its bytes; a long one is cut.
    private static func text(_ key: [UInt8]) -> String {
        guard let text = String(validating: key, as: UTF8.self), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else { return "0x" + key.prefix(20).map { String(format: "%02x", $0) }.joined() + (key.count > 20 ? "…" : "") }
        return "\"\(text.prefix(60))\"" + (text.count > 60 ? "…" : "")
    }
}
