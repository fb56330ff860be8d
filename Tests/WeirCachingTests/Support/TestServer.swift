import Dispatch
import Foundation
import Weir

@testable import WeirCaching

/// An HTTP server on loopback that answers by path, for at most as long as the test holds it.
///
///     /ok/TEXT  TEXT         /status/N  N          /half  5 of 10 bytes      /empty  200 without a body
///     /big/N    N bytes      /chunks/N  N bytes without a length              /hang-up  nothing at all
///     /slow     nothing until it is let go, then "late"                       /garbage  no HTTP
final class TestServer: Sendable {
    let port: UInt16
    private let queue = DispatchQueue(label: "weir.tests.http")
    private let accept: Lock<any DispatchSourceRead>
    private let seen = Noted<[String]>([])
    private let slow = Noted<[Connection]>([])
    private let connections = Noted<[Connection]>([])

    struct Failed: Error {}

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard listener >= 0, bound, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else { throw Failed() }
        port = UInt16(bigEndian: address.sin_port)
        let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        accept = Lock(source)
        source.setEventHandler { [weak self] in
            while case let file = Foundation.accept(listener, nil, nil), file >= 0 { self?.serve(file) }
        }
        source.setCancelHandler { close(listener) }
        source.activate()
    }

    deinit {
        accept.withLock { $0.cancel() }
        for connection in connections.value { connection.end() }
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: "/") }

    /// The paths asked for, in order.
    var requests: [String] { seen.value }

    /// Answers every slow request that waits.
    func letGo() {
        let waiting = slow.change { slow in
            let waiting = slow
            slow = []
            return waiting
        }
        for connection in waiting { connection.send(Self.answer(200, "late")) }
    }

    private func serve(_ file: Int32) {
        let connection = Connection(file) { [weak self] connection, path in
            guard let self else { return connection.end() }
            seen.append(path)
            respond(path, on: connection)
        }
        connections.append(connection)
        connection.start()
    }

    private func respond(_ path: String, on connection: Connection) {
        let parts = path.split(separator: "/").map(String.init)
        let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        switch parts.first {
        case "ok": connection.send(Self.answer(200, parts.count > 1 ? parts[1] : "ok"))
        case "status": connection.send(Self.answer(count, "no"))
        case "half": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", closing: true)
        case "empty": connection.send(Self.answer(200, ""))
        case "big": connection.send(Self.answer(200, String(repeating: "x", count: count)))
        case "chunks":
            connection.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: count), closing: true)
        case "slow": slow.append(connection)
        case "garbage": connection.send("hello\r\n\r\n", closing: true)
        default: connection.end()
        }
    }

    private static func answer(_ status: Int, _ body: String) -> String {
        "HTTP/1.1 \(status) Answer\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}

/// One connection: reads request heads, and writes answers, waiting for the peer on a queue of its own.
private final class Connection: Sendable {
    private let file: Int32
    private let reading: Lock<any DispatchSourceRead>
    private let queue = DispatchQueue(label: "weir.tests.http.connection")
    private let input = Noted<[UInt8]>([])
    private let asked: @Sendable (Connection, String) -> Void

    init(_ file: Int32, asked: @escaping @Sendable (Connection, String) -> Void) {
        self.file = file
        self.asked = asked
        reading = Lock(DispatchSource.makeReadSource(fileDescriptor: file, queue: queue))
    }

    func start() {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        reading.withLock { source in
            source.setEventHandler { [weak self] in self?.read() }
            source.setCancelHandler { [file] in close(file) }
            source.activate()
        }
    }

    /// Writes all of it, or as much as the peer takes.
    func send(_ text: String, closing: Bool = false) {
        queue.async { [self] in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(file, $0.baseAddress, min($0.count, 1 << 16), Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return end() }
                rest = rest.dropFirst(count)
            }
            if closing { end() }
        }
    }

    func end() { reading.withLock { $0.cancel() } }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(file, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            if count == 0 || errno != EAGAIN { end() }
            return
        }
        let paths = input.change { input -> [String] in
            input += buffer[..<count]
            var paths: [String] = []
            while let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                input.removeSubrange(..<end.upperBound)
                paths += head.split(separator: " ").dropFirst().prefix(1).map(String.init)
            }
            return paths
        }
        for path in paths { asked(self, path) }
    }
}
