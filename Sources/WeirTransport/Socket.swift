// The few system calls of TCP, without any state. The differences between the systems stand here and nowhere else.

import Foundation

/// A descriptor that closes when the last reference to it goes.
final class Descriptor: Sendable {
    let fd: Int32
    init(_ fd: Int32) { self.fd = fd }
    deinit { Foundation.close(fd) }
}

/// A socket address of either family.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    init() {}

    init(_ info: addrinfo) {
        guard let address = info.ai_addr else { return }
        length = min(length, info.ai_addrlen)
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Calls with the address as the system wants it.
    func with<Answer>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Lets the system fill in an address.
    mutating func fill(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> Bool {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &length) { length in
            withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) == 0 }
            }
        }
    }

    /// Host and port in numbers; an IPv4 address that came over IPv6 is shown as IPv4.
    var endpoint: Endpoint {
        var host = [CChar](repeating: 0, count: 128)
        var port = [CChar](repeating: 0, count: 16)
        let code = with { address, length in
            getnameinfo(
                address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV)
        }
        guard code == 0 else { return Endpoint(host: "?", port: 0) }
        let name = text(host)
        let plain = name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
        return Endpoint(host: plain, port: UInt16(text(port)) ?? 0)
    }

    private func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

enum Socket {
    /// A non-blocking TCP socket that no child process inherits; nil where the system has none left (see `errno`).
    static func make(_ family: Int32) -> Descriptor? {
        let fd = socket(family, streamType, 0)
        guard fd >= 0 else { return nil }
        prepare(fd)
        return Descriptor(fd)
    }

    /// What every socket of ours has: it does not block, it sends small frames at once, it raises no signal.
    static func prepare(_ fd: Int32) {
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        set(fd, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        #if !os(Linux)
        set(fd, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    static func set(_ fd: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(fd, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The error that a socket keeps, 0 where there is none.
    static func pendingError(_ fd: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    static func send(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if os(Linux)
        Foundation.send(fd, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        Foundation.send(fd, bytes.baseAddress, bytes.count, 0)
        #endif
    }

    static var wouldBlock: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }

    static func message(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The addresses of a host. Names may take seconds: call it where blocking is allowed, unless the host is in numbers.
    static func addresses(
        of endpoint: Endpoint, passive: Bool = false, numeric: Bool = false
    ) -> Result<[SocketAddress], TransportError> {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        hints.ai_flags = (passive ? AI_PASSIVE : 0) | (numeric ? AI_NUMERICHOST : 0) | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        // A NUL inside a host would cut it short, and another host would be asked for.
        guard !endpoint.host.utf8.contains(0), !endpoint.host.isEmpty else {
            return .failure(.unknownHost(endpoint.host, "not a host name"))
        }
        let code = getaddrinfo(endpoint.host, "\(endpoint.port)", &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard code == 0 else { return .failure(.unknownHost(endpoint.host, String(cString: gai_strerror(code)))) }
        var found: [SocketAddress] = []
        var entry = list
        while let info = entry {
            found.append(SocketAddress(info.pointee))
            entry = info.pointee.ai_next
        }
        return found.isEmpty ? .failure(.unknownHost(endpoint.host, "it has no address")) : .success(found)
    }

    private static var streamType: Int32 {
        #if canImport(Darwin)
        SOCK_STREAM
        #else
        Int32(SOCK_STREAM.rawValue)
        #endif
    }
}
