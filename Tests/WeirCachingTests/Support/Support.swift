import Foundation
import Testing
import Weir

@testable import WeirCaching

/// A folder of a test's own, deleted with its owner.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "weir-caching-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// Every file below, by its path.
    var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.map { "\(path)/\($0)" }.filter { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
        }
    }

    /// The bytes of every file below.
    var bytes: Int { files.reduce(0) { $0 + (DiskFiles().attributes(of: $1)?.size ?? 0) } }
}

/// A sequence of numbers that is the same in every run (SplitMix64, public domain, S. Vigna).
struct Numbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Something that threads and handlers write to and the test reads.
final class Noted<Value: Sendable>: Sendable {
    private let box: Lock<Value>
    init(_ value: Value) { box = Lock(value) }
    var value: Value { box.withLock { $0 } }
    @discardableResult func change<Answer>(_ body: (inout Value) -> Answer) -> Answer { box.withLock(body) }
}

extension Noted where Value: RangeReplaceableCollection, Value.Element: Sendable {
    func append(_ element: Value.Element) { change { $0.append(element) } }
}

/// A wall clock that stands until it is moved.
final class HandClock: Sendable {
    private let seconds = Noted(0.0)
    var now: @Sendable () -> Date { { [seconds] in Date(timeIntervalSince1970: seconds.value) } }
    func set(_ value: Double) { seconds.change { $0 = value } }
}

/// Runs `body` on threads of their own, all let go at once.
///
/// - Returns: how many rounds ran while another thread was inside one, too.
func race(threads: Int, rounds: Int, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void) async -> Int {
    let waiting = Noted(threads)
    let inside = Noted(0)
    let overlaps = Noted(0)
    await withTaskGroup(of: Void.self) { group in
        for thread in 0..<threads {
            group.addTask {
                await withCheckedContinuation { done in
                    Thread.detachNewThread {
                        waiting.change { $0 -= 1 }
                        while waiting.value > 0 {}
                        for round in 0..<rounds {
                            let others = inside.change { inside in
                                inside += 1
                                return inside - 1
                            }
                            body(thread, round)
                            inside.change { $0 -= 1 }
                            if others > 0 { overlaps.change { $0 += 1 } }
                        }
                        done.resume()
                    }
                }
            }
        }
    }
    return overlaps.value
}
