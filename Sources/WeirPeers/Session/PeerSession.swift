// The adapter: what a way of reaching peers has to offer. The client, `LocalPeer`, is written on it alone, so whatever
// conforms (a network in memory, TCP, an adapter of your own) behaves the same for the application.

import Foundation

/// A way of finding peers, connecting to them, and carrying messages and files.
///
/// Commands return cold streams: nothing happens before somebody subscribes, and each subscription acts anew. The streams
/// of what happens are hot, end with the session, and may be subscribed to at any time.
public protocol PeerSession: Sendable {
    /// Who this side is.
    var local: Peer { get }
    /// The peers that are found while browsing, one entry for each id; a newcomer gets the present list first.
    var nearby: Observable<[NearbyPeer], Never> { get }
    /// The connections there are; a newcomer gets the present list first.
    var connections: Observable<[Connection], Never> { get }
    /// Each connection as it comes and goes.
    var changes: Observable<ConnectionChange, Never> { get }
    /// Those who ask for a connection, while advertising.
    var invitations: Observable<Invitation, Never> { get }
    /// Messages, in the order of each sender.
    var messages: Observable<IncomingMessage, Never> { get }
    /// What went wrong where no command could say so.
    var errors: Observable<PeerError, Never> { get }

    /// Can be found and invited from now on. Failing to start is in `errors`.
    func startAdvertising(info: [String: String])
    /// Cannot be found or invited any more; connections live on.
    func stopAdvertising()
    /// Looks for peers. Failing to start is in `errors`.
    func startBrowsing()
    /// Looks no more; `nearby` is empty.
    func stopBrowsing()

    /// Asks a peer for a connection: emits it and finishes, or fails with the true reason. Cancel withdraws.
    ///
    /// - Parameters:
    ///   - peer: a peer that has been found. One that is connected already gives that connection.
    ///   - context: what the other side's application gets with the invitation.
    ///   - timeout: how long the answer may take.
    func connect(to peer: Peer, context: Data, timeout: Duration) -> Observable<Connection, PeerError>
    /// The same by address, where the adapter has addresses.
    func connect(host: String, port: UInt16, context: Data, timeout: Duration) -> Observable<Connection, PeerError>
    /// Ends the connection to a peer on both sides; without one it does nothing.
    func disconnect(from peer: Peer)

    /// Sends a message: finishes when the other side's stack has it whole. Cancel withdraws what has not left.
    func send(_ kind: PeerMessageKind, _ bytes: Data, to peer: Peer) -> Observable<Never, PeerError>
    /// Sends a file: emits how far it is, finishes when it is whole and verified there. Cancel calls it off.
    func send(file: URL, name: String, to peer: Peer) -> Observable<TransferProgress, PeerError>
    /// Takes files into a directory for as long as somebody subscribes, and tells what becomes of each.
    func receiveFiles(into directory: URL) -> Observable<FileEvent, Never>

    /// Takes no new work and calls `done` when what is under way has arrived, or after `time`; then everything ends.
    func close(within time: Duration, _ done: @escaping @Sendable () -> Void)
}

extension PeerSession {
    /// Fails: this adapter has no addresses.
    public func connect(
        host: String, port: UInt16, context: Data, timeout: Duration
    ) -> Observable<Connection, PeerError> {
        .fail(.unavailable("\(Self.self) does not connect by host and port; connect to a peer that is nearby"))
    }
}
