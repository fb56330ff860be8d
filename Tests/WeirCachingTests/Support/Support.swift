import Foundation
import Weir
import WeirTestSupport

@testable import WeirCaching

extension Folder {
    /// The bytes of every file below.
    var bytes: Int { files.reduce(0) { $0 + (DiskFiles().attributes(of: $1)?.size ?? 0) } }
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
