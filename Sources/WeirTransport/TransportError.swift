// What goes wrong on the way between two machines, as values that name the address and say what to do.

/// Why bytes did not get there.
package enum TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answers at this address; what the system says.
    case unreachable(Endpoint, String)
    /// The name has no address.
    case unknownHost(String, String)
    /// No answer within this time.
    case timedOut(Endpoint, Duration)
    /// Another program, or another part of this one, listens there already.
    case addressInUse(Endpoint)
    /// This machine does not let us listen there.
    case cannotListen(Endpoint, String)
    /// The connection broke; what the system says.
    case broken(Endpoint, String)
    /// The caller gave up.
    case cancelled

    /// What happened, where, and what to do next.
    package var description: String {
        switch self {
        case .unreachable(let endpoint, let why): "\(endpoint) is unreachable: \(why)"
        case .unknownHost(let host, let why): "the host \(host) is unknown: \(why)"
        case .timedOut(let endpoint, let time): "\(endpoint) did not answer within \(time)"
        case .addressInUse(let endpoint):
            "port \(endpoint.port) on \(endpoint.host) is in use; choose another port, or 0"
        case .cannotListen(let endpoint, let why): "cannot listen on \(endpoint): \(why)"
        case .broken(let endpoint, let why): "the connection to \(endpoint) broke: \(why)"
        case .cancelled: "cancelled"
        }
    }
}
