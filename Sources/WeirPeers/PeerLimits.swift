// Every number that bounds what a peer may cost, with its default. The defaults suit desktops and phones on one network.

/// How much a peer may send, how long it may be silent, and how many may come at once.
public struct PeerLimits: Sendable, Hashable, CustomStringConvertible {
    /// The most bytes in one frame after the first; larger messages are split. 1 MiB.
    public var frame = 1 << 20
    /// The most bytes in the first frame of a connection. 8 KiB.
    public var hello = 8 << 10
    /// The most bytes in one message; larger data goes as a file. 4 MiB, at most 64 MiB.
    public var message = 4 << 20
    /// The most bytes of messages from one peer that nobody has taken yet; the peer then waits. 4 MiB, never less than
    /// one message takes.
    public var window = 4 << 20
    /// The most bytes of messages to one peer that wait here for room there; one more `send` then fails with `tooLarge`,
    /// and should wait for those before it. Each message counts 64 bytes beside its own. 4 MiB, never less than one
    /// message takes.
    public var queue = 4 << 20
    /// The most bytes of one file that wait to be written to the disk. 1 MiB.
    public var fileWindow = 1 << 20
    /// The bytes of a file in one frame. 256 KiB.
    public var fileChunk = 256 << 10
    /// The most bytes of an invitation's context. 64 KiB.
    public var context = 64 << 10
    /// The most files that one peer may send at the same time. 16.
    public var filesPerPeer = 16
    /// How long the first frame may take. 5 s.
    public var helloTime = Duration.seconds(5)
    /// How long it may take until both sides know each other. 10 s.
    public var handshakeTime = Duration.seconds(10)
    /// How long an invitation waits for the application's answer. 30 s.
    public var invitationTime = Duration.seconds(30)
    /// How long a peer may be silent before it is asked whether it lives; after three times that it is lost. 10 s. Zero or
    /// less asks nobody: then only the system tells of a peer that is gone, which may take hours where it said no goodbye.
    public var heartbeat = Duration.seconds(10)
    /// The most connections that have not said yet who they are; more are turned away. 64.
    public var pendingHandshakes = 64
    /// The most connections from one address. 8.
    public var connectionsPerAddress = 8

    /// The defaults.
    public init() {}

    /// The numbers that matter most.
    public var description: String {
        "frame \(frame) B, message \(message) B, window \(window) B, heartbeat \(heartbeat)"
    }
}
