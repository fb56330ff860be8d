// Peers over TCP. This version connects by host and port, or through a discovery that the caller brings along, and it
// speaks without encryption where the caller says so.

import Dispatch
import Foundation
import WeirTransport

/// A session over TCP, for Linux and macOS.
public final class NetworkSession: LineSession, CustomStringConvertible {
    /// What does the work.
    public let core: LineSessionCore

    /// A peer on the network. Nothing happens before it advertises or connects.
    ///
    /// - Parameters:
    ///   - name: what others read, at most 63 bytes; with another name every command fails with `unavailable`.
    ///   - encryption: `.none` has to be written down. Anything else makes every command fail with `unavailable`: TLS
    ///     comes with a later version, and nothing is sent in the clear by mistake.
    ///   - identity: where this peer keeps who it is.
    ///   - host: where it listens while advertising: an address of this machine, or `::` for all of them. An IPv6 address
    ///     may stand in brackets, as in URLs.
    ///   - port: the TCP port; 0 is any free one.
    ///   - discovery: how peers are found; nil where they are connected to by host and port.
    ///   - limits: what others may cost.
    ///   - scheduler: the time in which deadlines and heartbeats are measured.
    ///   - log: gets the one line that says that there is no encryption; standard error by default.
    public init(
        name: String, encryption: PeerEncryption = .required, identity: PeerIdentity = .fresh, host: String = "::",
        port: UInt16 = 0, discovery: (any PeerDiscovery)? = nil, limits: PeerLimits = PeerLimits(),
        on scheduler: some Scheduler = .continuous,
        log: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    ) {
        let time = Timekeeper(scheduler)
        var fault: PeerError?
        var id = Peer.ID.random()
        do throws(PeerError) {
            id = try identity.load()
            guard encryption == .none else {
                throw .unavailable("encryption: TLS comes with a later version; write encryption: .none to do without")
            }
        } catch {
            fault = error
        }
        let warning = Once {
            log("WeirPeers: “\(name)” talks without encryption; others can read and change what it says")
        }
        let endpoint = Endpoint(host: host, port: port)
        let carrier = Carrier(
            listen: { arrived throws(PeerError) in try Self.listen(endpoint, arrived) },
            dial: { endpoint, timeout, done in
                let dialling = TCPDialling.dial(endpoint, timeout: timeout, time: time) { result in
                    done(result.map { $0 as any ByteStream }.mapError { PeerError($0) })
                }
                return { dialling.cancel() }
            },
            makeWorker: {
                let queue = DispatchQueue(label: "weir.peers.file")
                return { work in queue.async(execute: work) }
            },
            discovery: discovery,
            start: { warning.run() })
        core = LineSessionCore(
            local: Peer(id: id, name: name), limits: limits, time: time, carrier: carrier, fault: fault)
    }

    /// The port that this session listens on; nil while it does not.
    public var port: UInt16? { core.listening.value?.port }

    /// Connects to whoever listens at a host and port; emits the connection or fails with the true reason.
    ///
    /// A host that refuses is `unreachable` at once. An IPv6 address may stand in brackets, as in URLs. Cancel withdraws.
    public func connect(
        host: String, port: UInt16, context: Data, timeout: Duration
    ) -> Observable<Connection, PeerError> {
        core.connect(context, timeout) { .endpoint(Endpoint(host: host, port: port)) }
    }

    private static func listen(
        _ endpoint: Endpoint, _ arrived: @escaping @Sendable (any ByteStream) -> Void
    ) throws(PeerError) -> Listening {
        do throws(TransportError) {
            let listener = try TCPListener(endpoint) { arrived($0) }
            // Others on this machine reach what listens on all addresses by its local name.
            let host = ["::", "0.0.0.0"].contains(endpoint.host) ? "localhost" : endpoint.host
            return Listening(host: host, port: listener.endpoint.port) { listener.close() }
        } catch {
            throw PeerError(error)
        }
    }

    /// As in `NetworkSession(Desk)`.
    public var description: String { "NetworkSession(\(local.name))" }
}

/// Something that is done the first time only.
private final class Once: Sendable {
    private let work: Lock<(@Sendable () -> Void)?>
    init(_ work: @escaping @Sendable () -> Void) { self.work = Lock(work) }

    func run() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?()
    }
}
