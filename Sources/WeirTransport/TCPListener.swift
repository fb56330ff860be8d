// Listening: one socket, and a handler that is given each connection that comes. When the process has no descriptor
// left, callers are turned away instead of spinning.

import Dispatch
import Foundation

/// A port that takes connections until it is closed or let go of.
package final class TCPListener: Sendable {
    /// Where it listens; the port is the true one where 0 was asked for.
    package let endpoint: Endpoint
    private let queue: DispatchQueue
    private let state: Lock<State>

    private struct State {
        var watch: Watch?
        var handler: (@Sendable (TCPConnection) -> Void)?
        /// A descriptor kept back: giving it up for a moment lets one caller in, to be turned away.
        var spare: Descriptor?
    }

    /// Listens.
    ///
    /// - Parameters:
    ///   - endpoint: an address of this machine; `::` takes IPv4 and IPv6 on all of them. Port 0 is any free port.
    ///   - backlog: how many callers may wait for the handler.
    ///   - handler: is given each connection, one at a time, on a queue of the listener's own.
    /// - Throws: `addressInUse`, or `cannotListen` with the system's reason.
    package init(
        _ endpoint: Endpoint, backlog: Int32 = 128, handler: @escaping @Sendable (TCPConnection) -> Void
    ) throws(TransportError) {
        let descriptor = try Self.open(endpoint, backlog)
        var address = SocketAddress()
        _ = address.fill { getsockname(descriptor.fd, $0, $1) }
        self.endpoint = Endpoint(host: endpoint.host, port: address.endpoint.port)
        queue = DispatchQueue(label: "weir.listen.\(self.endpoint)")
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.fd, queue: queue)
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        var watch = Watch(source)
        state = Lock(State(handler: handler, spare: Self.spareDescriptor()))
        source.setEventHandler { [weak self] in self?.callers(descriptor.fd) }
        watch.resume()
        state.withLock { $0.watch = watch }
    }

    deinit { close() }

    /// Stops listening. Connections that were taken live on; after this no more are handed out.
    package func close() {
        var dropped: State?
        state.withLock { state in
            state.watch?.cancel()
            dropped = state
            state = State()
        }
        withExtendedLifetime(dropped) {}
    }

    private func callers(_ listening: Int32) {
        while true {
            var address = SocketAddress()
            var fd: Int32 = -1
            _ = address.fill {
                fd = accept(listening, $0, $1)
                return 0
            }
            if fd < 0 {
                switch errno {
                case EINTR, ECONNABORTED: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    guard turnAway(listening) else { return }
                    continue
                default: return
                }
            }
            Socket.prepare(fd)
            let connection = TCPConnection(Descriptor(fd), remote: address.endpoint)
            let handler = state.withLock { $0.handler }
            handler?(connection)
        }
    }

    private func turnAway(_ listening: Int32) -> Bool {
        state.withLock { state in
            guard state.spare != nil else { return false }
            state.spare = nil
            let fd = accept(listening, nil, nil)
            if fd >= 0 { Foundation.close(fd) }
            state.spare = Self.spareDescriptor()
            return fd >= 0
        }
    }

    private static func spareDescriptor() -> Descriptor? {
        let fd = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
        return fd >= 0 ? Descriptor(fd) : nil
    }

    private static func open(_ endpoint: Endpoint, _ backlog: Int32) throws(TransportError) -> Descriptor {
        let addresses = try Socket.addresses(of: endpoint, passive: true).get()
        var error = TransportError.cannotListen(endpoint, "it has no address")
        for address in addresses {
            guard let descriptor = Socket.make(address.family) else {
                error = .cannotListen(endpoint, Socket.message(errno))
                continue
            }
            // A port whose last owner has just gone may be used again; one with an owner stays refused.
            Socket.set(descriptor.fd, SOL_SOCKET, SO_REUSEADDR, 1)
            if address.family == AF_INET6 { Socket.set(descriptor.fd, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            if address.with({ bind(descriptor.fd, $0, $1) }) == 0, listen(descriptor.fd, backlog) == 0 {
                return descriptor
            }
            error = errno == EADDRINUSE ? .addressInUse(endpoint) : .cannotListen(endpoint, Socket.message(errno))
        }
        throw error
    }
}
