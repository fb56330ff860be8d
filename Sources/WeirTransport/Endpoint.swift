// A place in the network as people write it: a host and a port.

/// A host, by name or address, and a TCP port.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address or an IPv6 address, which never has brackets here.
    package let host: String
    /// The TCP port; 0 asks the system for a free one where it is listened on.
    package let port: UInt16

    /// From a host and a port. An IPv6 address may stand in brackets, as in URLs (RFC 3986, section 3.2.2).
    package init(host: String, port: UInt16) {
        let isInBrackets = host.hasPrefix("[") && host.hasSuffix("]") && host.contains(":")
        self.host = isInBrackets ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// `host:port`, with brackets around an IPv6 address.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
