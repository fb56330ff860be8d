// A TCP connection that never blocks a thread. Reads happen only while somebody asks; writes go straight to the socket
// and wait in a bounded queue when it is full. A lock guards the state; handlers run outside it, on the connection's queue.

import Dispatch
import Foundation

/// One end of a TCP connection.
package final class TCPConnection: ByteStream {
    package let remote: Endpoint
    /// This end's own address.
    package let local: Endpoint

    private let queue: DispatchQueue
    private let state: Lock<State>

    /// How much may wait to be written before `write` says `full`, and from where on it asks for more.
    private static let full = 1 << 20
    private static let low = 256 << 10
    /// How many seconds a polite close waits for the other side to take what is left and to close, too.
    private static let patience = 30.0

    /// Takes over a connected socket.
    init(_ descriptor: Descriptor, remote: Endpoint) {
        self.remote = remote
        var address = SocketAddress()
        local = address.fill { getsockname(descriptor.fd, $0, $1) } ? address.endpoint : Endpoint(host: "?", port: 0)
        queue = DispatchQueue(label: "weir.tcp.\(remote)")
        let readable = DispatchSource.makeReadSource(fileDescriptor: descriptor.fd, queue: queue)
        let writable = DispatchSource.makeWriteSource(fileDescriptor: descriptor.fd, queue: queue)
        // The descriptor closes when neither source watches it any more.
        readable.setCancelHandler { withExtendedLifetime(descriptor) {} }
        writable.setCancelHandler { withExtendedLifetime(descriptor) {} }
        state = Lock(State(fd: descriptor.fd, readable: Watch(readable), writable: Watch(writable)))
        readable.setEventHandler { [weak self] in self?.canRead() }
        writable.setEventHandler { [weak self] in self?.canWrite() }
    }

    deinit { _ = state.withLock { $0.release() } }

    package func read(_ handler: @escaping @Sendable (Result<[UInt8]?, TransportError>) -> Void) {
        var replaced: Any?
        let isOpen = state.withLock { state in
            guard state.phase == .open else { return false }
            replaced = state.reader
            state.reader = handler
            state.readable.resume()
            return true
        }
        withExtendedLifetime(replaced) {}
        // The source tells of a hang-up once, and it may have done so while it was paused: so each read tries by itself.
        if isOpen { queue.async { [weak self] in self?.canRead() } }
    }

    package func write(_ bytes: [UInt8]) -> WriteAnswer {
        state.withLock { state in
            guard state.phase == .open, !state.finishing, !state.writeFailed else { return .closed }
            if bytes.isEmpty { return .room }
            state.outgoing.append(bytes)
            if !state.writable.isWatching { state.flush() }
            if state.writeFailed { return .closed }
            guard state.outgoing.count >= Self.full else { return .room }
            state.wasFull = true
            return .full
        }
    }

    package func onRoom(_ handler: @escaping @Sendable () -> Void) {
        var replaced: Any?
        state.withLock { state in
            replaced = state.roomHandler
            state.roomHandler = state.phase == .open ? handler : nil
        }
        withExtendedLifetime(replaced) {}
    }

    package func finish() { state.withLock { $0.finish() } }

    package func close() {
        var dropped: Handlers?
        state.withLock { state in
            guard state.phase == .open else { return }
            state.phase = .closing
            dropped = state.takeHandlers()
            state.finish()
            state.readable.resume()
            state.keepAlive = self
        }
        withExtendedLifetime(dropped) {}
        // A peer that never closes must not keep the descriptor.
        queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.abort() }
    }

    package func abort() {
        var dropped: (Handlers, TCPConnection?)?
        state.withLock { dropped = ($0.takeHandlers(), $0.release()) }
        withExtendedLifetime(dropped) {}
    }
}

// MARK: - What the socket says

extension TCPConnection {
    /// Reads as long as somebody asks and something is there. Runs on the queue, so there is one reader at a time; the
    /// descriptor outlives it, because its cancel handler runs on the same queue.
    private func canRead() {
        while true {
            let wish = state.withLock { state in
                switch state.phase {
                case .open where state.reader == nil:
                    state.readable.pause()
                    return Wish.nothing
                case .open, .closing: return .bytes(state.fd, state.readSize)
                case .gone: return .nothing
                }
            }
            guard case .bytes(let fd, let size) = wish else { return }
            let got = Self.receive(fd, size)
            if case .blocked = got { return }
            guard let (handler, answer) = took(got, of: size) else { continue }
            handler(answer)
        }
    }

    private func took(_ got: Got, of size: Int) -> (Reader, Result<[UInt8]?, TransportError>)? {
        var last: TCPConnection?
        defer { withExtendedLifetime(last) {} }
        return state.withLock { state in
            guard state.phase == .open else {
                if state.phase == .closing, !got.isBytes { last = state.release() }
                return nil
            }
            guard let reader = state.reader else { return nil }
            state.reader = nil
            switch got {
            case .bytes(let bytes):
                // A reader that fills its buffer gets a greater one, up to 256 KiB.
                if bytes.count == size, size < 256 << 10 { state.readSize = size * 4 }
                return (reader, .success(bytes))
            case .end, .blocked: return (reader, .success(nil))
            case .failed(let code): return (reader, .failure(.broken(remote, Socket.message(code))))
            }
        }
    }

    private func canWrite() {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.phase != .gone else { return nil }
            state.flush()
            guard state.phase == .open, state.wasFull, state.outgoing.count <= Self.low else { return nil }
            state.wasFull = false
            return state.roomHandler
        }
        handler?()
    }

    private static func receive(_ fd: Int32, _ size: Int) -> Got {
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            let count = recv(fd, buffer.baseAddress, size, 0)
            // The copy has the size of what came: whoever keeps it keeps no more.
            if count > 0 { return .bytes(Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))) }
            if count == 0 { return .end }
            return Socket.wouldBlock ? .blocked : .failed(errno)
        }
    }
}

// MARK: - State

private typealias Reader = @Sendable (Result<[UInt8]?, TransportError>) -> Void
private typealias Handlers = (reader: Reader?, room: (@Sendable () -> Void)?)

private enum Phase { case open, closing, gone }
private enum Wish { case nothing, bytes(Int32, Int) }
private enum Got {
    case bytes([UInt8]), end, blocked, failed(Int32)
    var isBytes: Bool { if case .bytes = self { true } else { false } }
}

private struct State {
    let fd: Int32
    var phase = Phase.open
    var readable: Watch
    var writable: Watch
    var reader: Reader?
    var readSize = 16 << 10
    var outgoing = ByteQueue()
    var wasFull = false
    var roomHandler: (@Sendable () -> Void)?
    var finishing = false
    var writeFailed = false
    /// While it closes politely the connection holds itself.
    var keepAlive: TCPConnection?

    /// Writes what the socket takes, and watches it while something is left.
    mutating func flush() {
        while let chunk = outgoing.first {
            let count = chunk.withUnsafeBytes { Socket.send(fd, $0) }
            if count >= 0 {
                outgoing.removeFirst(count)
            } else if Socket.wouldBlock {
                writable.resume()
                return
            } else {
                // The reader learns it from the socket itself, after what has still arrived.
                writeFailed = true
                outgoing = ByteQueue()
            }
        }
        writable.pause()
        if finishing, !writeFailed { shutdown(fd, Int32(SHUT_WR)) }
    }

    mutating func finish() {
        guard phase != .gone, !finishing else { return }
        finishing = true
        if outgoing.first == nil, !writeFailed { shutdown(fd, Int32(SHUT_WR)) }
    }

    mutating func takeHandlers() -> Handlers {
        defer { (reader, roomHandler) = (nil, nil) }
        return (reader, roomHandler)
    }

    @discardableResult mutating func release() -> TCPConnection? {
        guard phase != .gone else { return nil }
        phase = .gone
        readable.cancel()
        writable.cancel()
        outgoing = ByteQueue()
        defer { keepAlive = nil }
        return keepAlive
    }
}
