import Foundation
import Weir
import WeirTransport

@testable import WeirCaching

/// An HTTP server on loopback that answers by path, for at most as long as the test holds it.
///
///     /ok/TEXT  TEXT         /status/N  N          /half  5 of 10 bytes      /empty  200 without a body
///     /big/N    N bytes      /chunks/N  N bytes without a length              /hang-up  nothing at all
///     /slow     nothing until it is let go, then "late"                       /garbage  no HTTP
final class TestServer: Sendable {
    private let listener: TCPListener
    private let seen = Noted<[String]>([])
    private let slow = Noted<[Connection]>([])
    private let connections = Noted<[Connection]>([])

    init() throws {
        listener = try TCPListener(Endpoint(host: "127.0.0.1", port: 0)) { [seen, slow, connections] stream in
            // The list of slow ones is held by the server alone: it holds connections, which hold this.
            let connection = Connection(stream) { [weak slow] connection, path in
                seen.append(path)
                if let slow { Self.respond(path, on: connection, slow) }
            }
            connections.append(connection)
            connection.readMore()
        }
    }

    deinit {
        listener.close()
        for connection in connections.value { connection.cut() }
    }

    func url(_ path: String) -> URL { URL(string: "http://\(listener.endpoint)\(path)") ?? URL(fileURLWithPath: "/") }

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

    private static func respond(_ path: String, on connection: Connection, _ slow: Noted<[Connection]>) {
        let parts = path.split(separator: "/").map(String.init)
        let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        switch parts.first {
        case "ok": connection.send(answer(200, parts.count > 1 ? parts[1] : "ok"))
        case "status": connection.send(answer(count, "no"))
        case "half": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", closing: true)
        case "empty": connection.send(answer(200, ""))
        case "big": connection.send(answer(200, String(repeating: "x", count: count)))
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

/// One connection: reads request heads, and writes answers. An answer to one that is over goes nowhere.
private final class Connection: Sendable {
    private let stream: TCPConnection
    private let input = Noted<[UInt8]>([])
    private let asked: @Sendable (Connection, String) -> Void

    init(_ stream: TCPConnection, asked: @escaping @Sendable (Connection, String) -> Void) {
        self.stream = stream
        self.asked = asked
    }

    func send(_ text: String, closing: Bool = false) {
        _ = stream.write(Array(text.utf8))
        if closing { stream.close() }
    }

    func end() { stream.close() }

    func cut() { stream.abort() }

    func readMore() {
        stream.read { [weak self] result in
            guard let self else { return }
            guard case .success(let bytes?) = result else { return end() }
            for path in paths(in: bytes) { asked(self, path) }
            readMore()
        }
    }

    private func paths(in bytes: [UInt8]) -> [String] {
        input.change { input in
            input += bytes
            var paths: [String] = []
            while let end = input.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: input[..<end.lowerBound], as: UTF8.self)
                input.removeSubrange(..<end.upperBound)
                paths += head.split(separator: " ").dropFirst().prefix(1).map(String.init)
            }
            return paths
        }
    }
}
