// The client over a session: everything that an application calls. It is a composition of the session's streams, so it
// behaves the same over every adapter.

import Foundation
import WeirSupport

/// This side of all its connections.
///
/// A method that acts has two forms. With `await` it acts now. As an `Observable` it is cold: it acts each time somebody
/// subscribes. Letting go of the last reference ends every connection on both sides, and every stream from here.
public final class LocalPeer: Sendable, CustomStringConvertible {
    /// The adapter.
    public let session: any PeerSession
    /// Faults of single messages, beside those of the session.
    let faults = PublishSubject<PeerError, Never>()

    /// A client over `session`.
    public init(_ session: some PeerSession) { self.session = session }

    deinit { session.close(within: .zero) {} }

    /// Who this side is.
    public var peer: Peer { session.local }

    /// As in `LocalPeer(Desk)`.
    public var description: String { "LocalPeer(\(peer.name))" }

    // MARK: - Being found and finding

    /// Can be found and invited from now on. Where that fails, `errors` says why.
    ///
    /// - Parameter info: what others read about this peer before they connect.
    public func startAdvertising(info: [String: String] = [:]) { session.startAdvertising(info: info) }
    /// Cannot be found or invited any more; connections live on.
    public func stopAdvertising() { session.stopAdvertising() }
    /// Looks for peers. Where that fails, `errors` says why.
    public func startBrowsing() { session.startBrowsing() }
    /// Looks no more; `nearbyPeers` is empty.
    public func stopBrowsing() { session.stopBrowsing() }

    /// The peers that can be found, one entry for each id: the list at once, then each new one that differs.
    public var nearbyPeers: Observable<[NearbyPeer], Never> { session.nearby.removeDuplicates() }

    // MARK: - What happens

    /// The connections there are: the list at once, then each new one.
    public var connections: Observable<[Connection], Never> { session.connections.removeDuplicates() }

    /// Each peer as it connects.
    public var connectedPeers: Observable<Peer, Never> {
        session.changes.compactMap { change in
            if case .connected(let connection) = change { connection.peer } else { nil }
        }
    }

    /// Each peer whose connection is over, and why.
    public var disconnectedPeers: Observable<Disconnection, Never> {
        session.changes.compactMap { change in
            if case .disconnected(let disconnection) = change { disconnection } else { nil }
        }
    }

    /// Those who ask for a connection, while advertising. Answer each; silence declines when its time is over.
    public var invitations: Observable<Invitation, Never> { session.invitations }

    /// What went wrong where nobody waited for an answer: advertising, browsing, a peer that broke the rules, a message
    /// that could not be read.
    public var errors: Observable<PeerError, Never> { session.errors.merge(with: faults.observable) }

    // MARK: - Connections

    /// Asks a peer for a connection: emits it and finishes, or fails with the true reason. Cancel withdraws.
    ///
    /// - Parameters:
    ///   - peer: a peer that is nearby. One that is connected gives that connection, one that has asked is accepted.
    ///   - context: what the other application gets with the invitation, as JSON of at most 64 KiB.
    ///   - timeout: how long the answer may take.
    public func connect(
        to peer: Peer, context: (some Encodable & Sendable)? = String?.none, timeout: Duration = .seconds(30)
    ) -> Observable<Connection, PeerError> {
        encoded(context) { [session] in session.connect(to: peer, context: $0, timeout: timeout) }
    }

    /// Asks whoever listens at a host and port for a connection: emits it and finishes, or fails with the true reason.
    ///
    /// - Parameters:
    ///   - host: a name, an IPv4 address, or an IPv6 address without brackets.
    ///   - port: the TCP port.
    ///   - context: what the other application gets with the invitation, as JSON of at most 64 KiB.
    ///   - timeout: how long the answer may take. A host that refuses fails at once.
    public func connect(
        host: String, port: UInt16, context: (some Encodable & Sendable)? = String?.none,
        timeout: Duration = .seconds(30)
    ) -> Observable<Connection, PeerError> {
        encoded(context) { [session] in
            session.connect(host: host, port: port, context: $0, timeout: timeout)
        }
    }

    /// Asks a peer for a connection, now. Cancelling the task withdraws.
    @discardableResult
    public func connect(
        to peer: Peer, context: (some Encodable & Sendable)? = String?.none, timeout: Duration = .seconds(30)
    ) async throws(PeerError) -> Connection {
        try await only(connect(to: peer, context: context, timeout: timeout))
    }

    /// Asks whoever listens at a host and port for a connection, now. Cancelling the task withdraws.
    @discardableResult
    public func connect(
        host: String, port: UInt16, context: (some Encodable & Sendable)? = String?.none,
        timeout: Duration = .seconds(30)
    ) async throws(PeerError) -> Connection {
        try await only(connect(host: host, port: port, context: context, timeout: timeout))
    }

    /// Ends the connection to a peer on both sides.
    public func disconnect(from peer: Peer) { session.disconnect(from: peer) }

    /// Ends all connections, advertising and browsing, on both sides. This peer is of no use afterwards.
    public func disconnect() { session.close(within: .zero) {} }

    /// Takes no new work, lets what is under way arrive, and then ends everything.
    ///
    /// - Parameter time: how long that may take; what has not arrived by then fails. Of several calls the earliest
    ///   counts. Cancelling the task ends everything at once.
    public func close(within time: Duration) async {
        await untilClosed(within: time) { [session] time, done in session.close(within: time, done) }
    }

    private func encoded(
        _ context: (some Encodable & Sendable)?,
        _ connect: @escaping @Sendable (Data) -> Observable<Connection, PeerError>
    ) -> Observable<Connection, PeerError> {
        guard let context else { return connect(Data()) }
        return Observable<_, PeerError>.just(context).map { context throws(PeerError) in
            do {
                return try JSONCoder().encode(context)
            } catch {
                throw .malformed("the context cannot be sent: \(error)")
            }
        }.flatMap(connect)
    }
}

/// The one element of a command; an end without one means that the task was cancelled.
func only<Element>(_ command: Observable<Element, PeerError>) async throws(PeerError) -> Element {
    guard let element = try await command.first else { throw .cancelled }
    return element
}

/// Waits for the end of a command that has nothing to say but that it is done.
func end<Element>(of command: Observable<Element, PeerError>) async throws(PeerError) {
    _ = try await only(command.compactMap { _ in Bool?.none }.concat(.just(true)))
}
