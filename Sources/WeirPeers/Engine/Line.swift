// One line to one peer, from its first byte to its last: what stage it is in, what waits on it, what it carries. It
// belongs to the engine's sequencer and is touched by nobody else.

import WeirTransport

final class Line {
    let id: Int
    let stream: any ByteStream
    /// Did this side dial?
    let isDialled: Bool
    var stage: Stage
    var reader: FrameReader
    var outbox = Outbox()
    var inbox: MessageInbox
    /// The greatest message number that has arrived whole, and the greatest that was acknowledged.
    var arrived: UInt64 = 0
    var acknowledged: UInt64 = 0
    /// What the other side takes in one message.
    var messageLimit = 0
    var hasRoom = true
    var lastHeard: Duration
    var deadline: ScheduledWork?
    var connection: Connection?
    /// What came with the invitation, while this line is parked.
    var context: [UInt8] = []
    /// The wish of this side that this line serves.
    var wish: Int?
    var incoming: [UInt32: IncomingTransfer] = [:]
    var outgoing: [UInt32: OutgoingTransfer] = [:]
    var lastIncoming: UInt32 = 0
    var nextOutgoing: UInt32

    enum Stage {
        /// Who are you?
        case hello
        /// Both have said who they are; the dialling side is to invite.
        case greeted(Peer)
        /// This side has invited and waits for the answer.
        case inviting(Peer)
        /// The application has been asked.
        case asking(Peer)
        /// Both have invited; this line waits for what becomes of the other one.
        case parked(Peer)
        case connected(Peer)
        case gone
    }

    init(_ id: Int, _ stream: any ByteStream, isDialled: Bool, _ limits: PeerLimits, now: Duration) {
        self.id = id
        self.stream = stream
        self.isDialled = isDialled
        stage = .hello
        reader = FrameReader(limit: limits.hello)
        inbox = MessageInbox(limits)
        outbox.part = min(128 << 10, limits.frame - 64)
        lastHeard = now
        nextOutgoing = isDialled ? 1 : 2
    }

    var peer: Peer? {
        switch stage {
        case .hello, .gone: nil
        case .greeted(let peer), .inviting(let peer), .asking(let peer), .parked(let peer), .connected(let peer): peer
        }
    }

    var isConnected: Bool { if case .connected = stage { true } else { false } }
    var isGone: Bool { if case .gone = stage { true } else { false } }
    /// Still on the way to knowing each other.
    var isShakingHands: Bool {
        switch stage {
        case .hello, .greeted: true
        default: false
        }
    }

    /// Who it is, for texts.
    var name: String { peer.map { "\($0.name) at \(stream.remote)" } ?? "\(stream.remote)" }

    /// One acknowledgement for all that has arrived since the last one.
    func acknowledge() {
        guard arrived > acknowledged else { return }
        acknowledged = arrived
        outbox.enqueue(.ack(arrived))
    }

    /// Is nothing under way in either direction?
    var isIdle: Bool { outbox.isIdle && incoming.isEmpty && outgoing.isEmpty }
}

/// What this side wants: a connection, for somebody who waits.
struct Wish {
    let id: Int
    let target: Target
    let context: [UInt8]
    var waiters: [Waiter] = []
    /// Gives up dialling.
    var cancelDialling: (@Sendable () -> Void)?
    /// The line that serves this wish, once there is one.
    var line: Int?
    /// Who said hello there.
    var met: Peer?

    enum Target: Sendable {
        /// A peer, and where it is, as far as that is known.
        case peer(Peer, Endpoint?)
        case endpoint(Endpoint)

        var endpoint: Endpoint? {
            switch self {
            case .peer(_, let endpoint): endpoint
            case .endpoint(let endpoint): endpoint
            }
        }
        var peer: Peer? { if case .peer(let peer, _) = self { peer } else { nil } }

        /// Whom or what it means, for texts.
        var name: String {
            switch self {
            case .peer(let peer, _): peer.name
            case .endpoint(let endpoint): "\(endpoint)"
            }
        }
    }

    struct Waiter {
        let ticket: Ticket
        let done: @Sendable (Result<Connection, PeerError>) -> Void
        let timer: ScheduledWork
    }
}
