// Whether a line is secret.

/// What a network session does for the secrecy of its lines.
public enum PeerEncryption: Hashable, Sendable {
    /// Nothing: everybody on the way can read, change and impersonate. For tests, and for networks that are secret by
    /// themselves. It has to be written down, and is logged once.
    case none
    /// TLS 1.3, both sides authenticated.
    case required
}
