import Foundation
import WeirSupport

// JSON texts: the guard, the strict parser, and the decoder of Foundation behind the guard.

private struct Record: Codable, Sendable {
    var name: String?
    var numbers: [Double]?
    var inner: [String: JSONValue]?
}

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: bytes, count: count))
    let coder = JSONCoder(limits: JSONGuard(depth: 100, size: 100_000))
    _ = try? coder.decode(Record.self, from: data)
    guard let value = try? coder.decode(JSONValue.self, from: data) else { return 0 }
    // What the parser takes, the guard has let pass, and writing and reading it again changes nothing.
    precondition((try? coder.limits.check(data)) != nil)
    guard let written = try? coder.encode(value) else { return 0 }
    guard let again = try? coder.decode(JSONValue.self, from: written) else { preconditionFailure("\(value)") }
    precondition(again == value, "\(value) became \(again)")
    return 0
}
