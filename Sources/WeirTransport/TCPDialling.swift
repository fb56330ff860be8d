// Dialling: a name becomes addresses, the addresses are tried one after the other, and the first that answers is the
// connection. Refused is an answer at once; silence ends at the time-out.

import Dispatch
import Foundation

/// An attempt to reach a host; it ends exactly once: with a connection, with an error, or cancelled and silent.
package final class TCPDialling: Sendable {
    private let endpoint: Endpoint
    private let queue: DispatchQueue
    private let state: Lock<State>

    /// Dials.
    ///
    /// - Parameters:
    ///   - endpoint: a host by name or address, and a port.
    ///   - timeout: how long all of it may take, in the time of `time`.
    ///   - done: called once, on a queue of the attempt's own, unless it is cancelled before.
    package static func dial(
        _ endpoint: Endpoint, timeout: Duration, time: Timekeeper,
        _ done: @escaping @Sendable (Result<TCPConnection, TransportError>) -> Void
    ) -> TCPDialling {
        let dialling = TCPDialling(endpoint, done)
        let timer = time.after(timeout) { dialling.end(.failure(.timedOut(endpoint, timeout))) }
        let isOver = dialling.state.withLock { state in
            state.timer = timer
            return state.done == nil
        }
        if isOver { timer.cancel() }
        dialling.resolve()
        return dialling
    }

    private init(_ endpoint: Endpoint, _ done: @escaping @Sendable (Result<TCPConnection, TransportError>) -> Void) {
        self.endpoint = endpoint
        queue = DispatchQueue(label: "weir.dial.\(endpoint)")
        state = Lock(State(done: done))
    }

    /// Gives up; `done` is not called any more.
    package func cancel() { _ = finish() }
}

private struct State {
    var done: (@Sendable (Result<TCPConnection, TransportError>) -> Void)?
    var timer: ScheduledWork?
    var watch: Watch?
    var rest: ArraySlice<SocketAddress> = []
    var lastError: TransportError?
}

private enum Step {
    case nothing
    case tryNext(SocketAddress)
    case end(TransportError)
}

extension TCPDialling {
    private func resolve() {
        // Addresses in numbers need no name server, so they cost no thread.
        let numeric = Socket.addresses(of: endpoint, numeric: true)
        if case .success = numeric {
            queue.async { self.start(numeric) }
        } else {
            DispatchQueue.global().async { [endpoint] in
                let found = Socket.addresses(of: endpoint)
                self.queue.async { self.start(found) }
            }
        }
    }

    private func start(_ found: Result<[SocketAddress], TransportError>) {
        switch found {
        case .failure(let error): end(.failure(error))
        case .success(let addresses):
            state.withLock { $0.rest = addresses[...] }
            tryNext()
        }
    }

    private func tryNext() {
        let step = state.withLock { state -> Step in
            guard state.done != nil else { return .nothing }
            if let address = state.rest.popFirst() { return .tryNext(address) }
            return .end(state.lastError ?? .unreachable(endpoint, "it has no address"))
        }
        switch step {
        case .nothing: break
        case .tryNext(let address): connect(to: address)
        case .end(let error): end(.failure(error))
        }
    }

    private func connect(to address: SocketAddress) {
        guard let descriptor = Socket.make(address.family) else { return failed(errno) }
        let code = address.with { Foundation.connect(descriptor.fd, $0, $1) }
        if code == 0 { return connected(descriptor) }
        guard errno == EINPROGRESS else { return failed(errno) }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.fd, queue: queue)
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        source.setEventHandler { [self] in
            state.withLock { $0.takeWatch() }?.cancelling()
            let error = Socket.pendingError(descriptor.fd)
            if error == 0 { connected(descriptor) } else { failed(error) }
        }
        var watch = Watch(source)
        watch.resume()
        let isOver = state.withLock { state in
            if state.done != nil { state.watch = watch }
            return state.done == nil
        }
        if isOver { watch.cancel() }
    }

    private func connected(_ descriptor: Descriptor) {
        var here = SocketAddress()
        var there = SocketAddress()
        guard there.fill({ getpeername(descriptor.fd, $0, $1) }) else { return failed(ENOTCONN) }
        _ = here.fill { getsockname(descriptor.fd, $0, $1) }
        // On one machine a free port may be given to the dialling end itself, which then talks to itself.
        if here.endpoint == there.endpoint { return failed(ECONNREFUSED) }
        end(.success(TCPConnection(descriptor, remote: there.endpoint)))
    }

    private func failed(_ code: Int32) {
        state.withLock { $0.lastError = .unreachable(endpoint, Socket.message(code)) }
        tryNext()
    }

    private func end(_ result: Result<TCPConnection, TransportError>) {
        let done = finish()
        done?(result)
    }

    private func finish() -> (@Sendable (Result<TCPConnection, TransportError>) -> Void)? {
        let (done, timer, watch) = state.withLock { state in
            defer { (state.done, state.timer, state.rest) = (nil, nil, []) }
            return (state.done, state.timer, state.takeWatch())
        }
        timer?.cancel()
        watch?.cancelling()
        return done
    }
}

extension State {
    fileprivate mutating func takeWatch() -> Watch? {
        defer { watch = nil }
        return watch
    }
}

extension Watch {
    fileprivate func cancelling() {
        var copy = self
        copy.cancel()
    }
}
