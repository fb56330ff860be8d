// A session over lines of bytes: the engine speaks the protocol, the core's subjects tell what happens, and a carrier says
// how lines come about. TCP and the network in memory differ in the carrier alone.

import Foundation
import WeirTransport

/// A session that reaches peers over lines of bytes. Everything that `PeerSession` asks for is done by its core.
public protocol LineSession: PeerSession {
    /// What does the work. It has no interface of its own.
    var core: LineSessionCore { get }
}

extension LineSession {
    /// Who this side is.
    public var local: Peer { core.engine.local }
    /// The peers that are found while browsing, one entry for each id.
    public var nearby: Observable<[NearbyPeer], Never> { core.nearby.observable }
    /// The connections there are.
    public var connections: Observable<[Connection], Never> { core.outputs.connections.observable }
    /// Each connection as it comes and goes.
    public var changes: Observable<ConnectionChange, Never> { core.outputs.changes.observable }
    /// Those who ask for a connection.
    public var invitations: Observable<Invitation, Never> { core.outputs.invitations.observable }
    /// Messages, in the order of each sender.
    public var messages: Observable<IncomingMessage, Never> { core.outputs.messages.observable }
    /// What went wrong where no command could say so.
    public var errors: Observable<PeerError, Never> { core.outputs.errors.observable }

    /// Listens, and is announced where there is discovery.
    public func startAdvertising(info: [String: String]) { core.startAdvertising(info) }
    /// Listens no more; connections live on.
    public func stopAdvertising() { core.stopAdvertising() }
    /// Looks for peers where there is discovery.
    public func startBrowsing() { core.startBrowsing() }
    /// Looks no more; `nearby` is empty.
    public func stopBrowsing() { core.stopBrowsing() }

    /// Dials, shakes hands and invites; emits the connection or fails with the true reason.
    public func connect(to peer: Peer, context: Data, timeout: Duration) -> Observable<Connection, PeerError> {
        core.connect(context, timeout) { [core] in .peer(peer, core.place(of: peer)) }
    }

    /// Ends the connection to a peer on both sides.
    public func disconnect(from peer: Peer) { core.engine.disconnect(peer) }

    /// Sends a message within the receiver's window; finishes when it is acknowledged.
    public func send(_ kind: PeerMessageKind, _ bytes: Data, to peer: Peer) -> Observable<Never, PeerError> {
        .create { [engine = core.engine] emitter in
            let cancel = engine.send(kind, bytes, to: peer) { emitter.send(completion: Completion($0)) }
            emitter.onTermination(cancel)
        }
    }

    /// Sends a file; emits what the receiver has on its disk.
    public func send(file: URL, name: String, to peer: Peer) -> Observable<TransferProgress, PeerError> {
        .create { [engine = core.engine] emitter in
            let cancel = engine.send(file: file, name: name, to: peer, progress: { emitter.send($0) }) {
                emitter.send(completion: Completion($0))
            }
            emitter.onTermination(cancel)
        }
    }

    /// Takes files into a directory for as long as somebody subscribes.
    public func receiveFiles(into directory: URL) -> Observable<FileEvent, Never> {
        .create { [engine = core.engine] emitter in
            let stop = engine.receive(into: directory, tell: { emitter.send($0) }, finish: { emitter.finish() })
            emitter.onTermination(stop)
        }
    }

    /// Takes no new work, and ends everything when what is under way has arrived or the time is over.
    public func close(within time: Duration, _ done: @escaping @Sendable () -> Void) { core.close(within: time, done) }
}

extension Completion {
    fileprivate init(_ result: Result<Void, Failure>) {
        switch result {
        case .success: self = .finished
        case .failure(let error): self = .failed(error)
        }
    }
}

/// How lines come about.
struct Carrier: Sendable {
    /// Begins to listen; hands every line that comes to the closure.
    let listen: @Sendable (@escaping @Sendable (any ByteStream) -> Void) throws(PeerError) -> Listening
    let dial: Dial
    let makeWorker: MakeWorker
    let discovery: (any PeerDiscovery)?
    /// Where a peer is that nobody has looked for, where the carrier knows.
    var place: @Sendable (Peer) -> Endpoint? = { _ in nil }
    /// Called before the first thing that reaches out.
    var start: @Sendable () -> Void = {}
}

/// A place where lines arrive, until it is stopped.
struct Listening: Sendable {
    let host: String
    let port: UInt16
    let stop: @Sendable () -> Void
}

extension PublishSubject where Element == PeerError, Failure == Never {
    /// Tells whoever subscribes to `errors`; where nobody does, the hook for what nobody handled.
    func report(_ error: PeerError) {
        send(error) { Unhandled.report("nobody subscribes to the `errors` of a peer session", $0) }
    }
}

/// What a session tells, as subjects.
struct SessionOutputs: Sendable {
    let connections = BehaviorSubject<[Connection], Never>([])
    let changes = PublishSubject<ConnectionChange, Never>()
    let invitations = PublishSubject<Invitation, Never>()
    let messages = PublishSubject<IncomingMessage, Never>()
    let errors = PublishSubject<PeerError, Never>()

    var reports: Reports {
        Reports(
            changed: { [connections, changes] change, all in
                connections.send(all)
                changes.send(change)
            },
            invited: { [invitations] in invitations.send($0) },
            received: { [messages] in messages.send($0) },
            failed: { [errors] in errors.report($0) },
            closed: { [self] in
                connections.send(completion: .finished)
                changes.send(completion: .finished)
                invitations.send(completion: .finished)
                messages.send(completion: .finished)
                errors.send(completion: .finished)
            })
    }
}

/// The part that all sessions over lines share.
public final class LineSessionCore: Sendable {
    let engine: PeerEngine
    let outputs: SessionOutputs
    let nearby = BehaviorSubject<[NearbyPeer], Never>([])
    /// Where this session listens; nil while it does not.
    let listening = BehaviorSubject<Listening?, Never>(nil)
    private let carrier: Carrier
    /// Why this session cannot work at all, for example a name that cannot be shown.
    private let fault: PeerError?
    private let tasks = Sequencer<Tasks>(Tasks())

    private struct Tasks {
        var announcement: SubscriptionToken?
        var search: SubscriptionToken?
        var isClosed = false
    }

    init(local: Peer, limits: PeerLimits, time: Timekeeper, carrier: Carrier, fault: PeerError? = nil) {
        let outputs = SessionOutputs()
        let name = PeerName.fault(in: local.name).map {
            PeerError.unavailable("this session, because its name “\(local.name)” \($0)")
        }
        self.outputs = outputs
        self.carrier = carrier
        self.fault = fault ?? name
        engine = PeerEngine(
            local: local, limits: limits.withinReason, time: time, reports: outputs.reports,
            makeWorker: carrier.makeWorker, dial: carrier.dial)
    }

    deinit { close(within: .zero) {} }

    func startAdvertising(_ info: [String: String]) {
        if let fault { return outputs.errors.report(fault) }
        carrier.start()
        let local = engine.local
        tasks.run { [engine, outputs, carrier, listening] tasks in
            guard listening.value == nil, !tasks.isClosed else { return }
            engine.setAdvertising(true)
            do throws(PeerError) {
                let place = try carrier.listen { [weak engine] stream in
                    if let engine { engine.arrived(stream) } else { stream.abort() }
                }
                listening.send(place)
                let entry = NearbyPeer(peer: local, host: place.host, port: place.port, info: info)
                tasks.announcement = carrier.discovery?.advertise(entry).subscribe({ _ in }) { end in
                    if case .failed(let error) = end { outputs.errors.report(error) }
                }
            } catch {
                engine.setAdvertising(false)
                outputs.errors.report(error)
            }
        }
    }

    func stopAdvertising() {
        tasks.run { [engine, listening] tasks in
            tasks.announcement = nil
            listening.value?.stop()
            listening.send(nil)
            engine.setAdvertising(false)
        }
    }

    func startBrowsing() {
        if let fault { return outputs.errors.report(fault) }
        guard let discovery = carrier.discovery else {
            let what = "discovery, because this session was given none; connect by host and port"
            return outputs.errors.report(.unavailable(what))
        }
        tasks.run { [engine, outputs, nearby] tasks in
            guard tasks.search == nil, !tasks.isClosed else { return }
            let own = engine.local.id
            tasks.search = discovery.browse().subscribe({ all in nearby.send(all.filter { $0.peer.id != own }) }) {
                end in
                if case .failed(let error) = end { outputs.errors.report(error) }
            }
        }
    }

    func stopBrowsing() {
        tasks.run { [nearby] tasks in
            tasks.search = nil
            nearby.send([])
        }
    }

    func place(of peer: Peer) -> Endpoint? {
        let found = nearby.value.first { $0.peer == peer }
        return found.map { Endpoint(host: $0.host, port: $0.port) } ?? carrier.place(peer)
    }

    func connect(
        _ context: Data, _ timeout: Duration, to target: @escaping @Sendable () -> Wish.Target
    ) -> Observable<Connection, PeerError> {
        if let fault { return .fail(fault) }
        return .create { [engine, start = carrier.start] emitter in
            start()
            let cancel = engine.connect(target(), context: context, timeout: timeout) { result in
                switch result {
                case .success(let connection):
                    emitter.send(connection)
                    emitter.finish()
                case .failure(let error): emitter.fail(error)
                }
            }
            emitter.onTermination(cancel)
        }
    }

    func close(within time: Duration, _ done: @escaping @Sendable () -> Void) {
        tasks.run { [nearby, listening] tasks in
            tasks = Tasks()
            tasks.isClosed = true
            listening.value?.stop()
            listening.send(nil)
            nearby.send([])
            nearby.send(completion: .finished)
        }
        engine.close(within: time, done)
    }
}

extension PeerLimits {
    /// The numbers as they are used: whatever was asked for, the protocol can work with them.
    var withinReason: PeerLimits {
        var limits = self
        limits.message = min(max(1, message), 64 << 20)
        limits.window = min(max(window, limits.message + Outbox.messageCost, 4 << 10), 1 << 30)
        limits.queue = max(queue, limits.message + Outbox.messageCost)
        limits.frame = min(max(frame, 4 << 10), 16 << 20)
        limits.hello = min(max(hello, 512), limits.frame)
        limits.context = min(max(0, context), limits.frame - 64)
        limits.fileWindow = min(max(fileWindow, 4 << 10), 1 << 30)
        limits.fileChunk = min(max(1, fileChunk), limits.frame - 64)
        limits.heartbeat = heartbeat > .zero ? max(heartbeat, .milliseconds(1)) : .zero
        return limits
    }
}
