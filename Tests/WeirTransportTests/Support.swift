import Foundation
import Testing

@testable import WeirTransport

/// What callbacks deliver and a test awaits, in order.
final class Mailbox<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func put(_ value: Value) { continuation.yield(value) }

    func next() async throws -> Value {
        for await value in stream { return value }
        throw TransportError.cancelled
    }
}

/// A scheduler whose time stands still until the test lets what waits run.
final class HeldScheduler: Scheduler {
    private struct State {
        var waiting: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }
    private let state = Lock(State())
    let now = ContinuousClock.now

    func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    func schedule(at deadline: ContinuousClock.Instant, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let number = state.withLock { state in
            state.count += 1
            state.waiting[state.count] = work
            return state.count
        }
        return ScheduledWork { [self] in _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
    }

    /// Runs all that waits.
    func fire() {
        let all = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        all.forEach { $0() }
    }

    var waiting: Int { state.withLock { $0.waiting.count } }
}

/// The next bytes, nil at the end.
func bytes(from stream: any ByteStream) async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
        stream.read { continuation.resume(with: $0) }
    }
}

/// Everything until the end.
func all(from stream: any ByteStream) async throws -> [UInt8] {
    var everything: [UInt8] = []
    while let more = try await bytes(from: stream) { everything += more }
    return everything
}

func dial(_ endpoint: Endpoint, on scheduler: HeldScheduler = HeldScheduler()) async throws -> TCPConnection {
    try await withCheckedThrowingContinuation { continuation in
        _ = TCPDialling.dial(endpoint, timeout: .seconds(5), time: Timekeeper(scheduler)) {
            continuation.resume(with: $0)
        }
    }
}

/// Both ends of a connection over loopback, and what listens.
struct Pair {
    let listener: TCPListener
    let near: TCPConnection
    let far: TCPConnection

    init(host: String = "127.0.0.1") async throws {
        let arrivals = Mailbox<TCPConnection>()
        listener = try TCPListener(Endpoint(host: host, port: 0)) { arrivals.put($0) }
        near = try await dial(listener.endpoint)
        far = try await arrivals.next()
    }
}

/// Bytes that show when a piece of them is missing or out of place.
func pattern(_ count: Int) -> [UInt8] {
    var bytes = (0..<4_099).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    while bytes.count < count { bytes += bytes }
    return Array(bytes.prefix(count))
}

/// Exactly that many bytes, or fewer at the end.
func exactly(_ count: Int, from stream: any ByteStream) async throws -> Int {
    var rest = count
    while rest > 0, let more = try await bytes(from: stream) { rest -= more.count }
    return count - rest
}

/// A port that is taken but does not behave: it refuses every caller, or never answers one.
final class OddPort: Sendable {
    enum Manner { case refuses, staysSilent }
    let endpoint: Endpoint
    private let descriptors: [Descriptor]

    init(_ manner: Manner) throws {
        let loopback = try #require(try Socket.addresses(of: Endpoint(host: "127.0.0.1", port: 0)).get().first)
        let taken = try #require(Socket.make(loopback.family))
        try #require(loopback.with { bind(taken.fd, $0, $1) } == 0)
        var address = SocketAddress()
        try #require(address.fill { getsockname(taken.fd, $0, $1) })
        endpoint = address.endpoint
        guard manner == .staysSilent else {
            descriptors = [taken]
            return
        }
        // A full line of callers that nobody accepts: the next one hears nothing.
        try #require(listen(taken.fd, 0) == 0)
        let callers = try (0..<4).map { _ in
            let caller = try #require(Socket.make(loopback.family))
            _ = address.with { connect(caller.fd, $0, $1) }
            return caller
        }
        descriptors = [taken] + callers
    }
}
