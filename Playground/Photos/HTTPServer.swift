import Foundation
import WeirTransport

/// What came in: the method, the path without query, and the query's items.
struct HTTPRequest: Sendable {
    let method: String
    let path: String
    let query: [String: String]
}

/// What goes out. A tested server may lie about the length.
struct HTTPAnswer: Sendable {
    var status = 200
    var type = "application/json"
    var body: [UInt8] = []
    /// The length that is announced, where it is not the true one; the connection ends after the body then.
    var announced: Int?

    static func text(_ status: Int, _ text: String) -> HTTPAnswer {
        HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}

/// A small HTTP/1.1 server on loopback: GET, keep-alive, no request body.
final class HTTPServer: Sendable {
    typealias Respond = @Sendable (HTTPRequest) -> HTTPAnswer
    /// The head of a request is refused beyond this.
    static let maximumHead = 64 << 10

    private let listener: TCPListener
    /// As in `http://127.0.0.1:8080`.
    let address: String

    /// Listens on a port of this machine's loopback; 0 is any free one.
    init(port: UInt16, respond: @escaping Respond) throws(Complaint) {
        do throws(TransportError) {
            listener = try TCPListener(Endpoint(host: "127.0.0.1", port: port)) { connection in
                HTTPConversation(connection, respond).readMore()
            }
        } catch {
            throw .server("\(error)")
        }
        address = "http://\(listener.endpoint)"
    }
    func close() { listener.close() }
}

/// One connection: requests one after the other. The pending read keeps it alive.
private final class HTTPConversation: Sendable {
    private let stream: any ByteStream
    private let respond: HTTPServer.Respond
    private let received = Lock<[UInt8]>([])

    init(_ stream: any ByteStream, _ respond: @escaping HTTPServer.Respond) {
        self.stream = stream
        self.respond = respond
    }
    func readMore() {
        stream.read { [self] result in
            guard case .success(let bytes?) = result else { return stream.close() }
            received.withLock { $0 += bytes }
            serve()
        }
    }
    private func serve() {
        while let head = takeHead() {
            let answer = Self.request(head).map(respond) ?? .text(400, "this is not an HTTP request")
            guard send(answer) else { return stream.close() }
        }
        guard received.withLock({ $0.count }) <= HTTPServer.maximumHead else {
            _ = send(.text(431, "a head has at most \(HTTPServer.maximumHead) bytes"))
            return stream.close()
        }
        readMore()
    }
    /// The next whole head, without its blank line.
    private func takeHead() -> String? {
        received.withLock { bytes in
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            bytes.removeSubrange(..<end.upperBound)
            return head
        }
    }
    private static func request(_ head: String) -> HTTPRequest? {
        let parts = head.prefix { $0 != "\r\n" && $0 != "\r" }.split(separator: " ")
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), let target = URLComponents(string: String(parts[1]))
        else {
            return nil
        }
        let items = (target.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return HTTPRequest(
            method: String(parts[0]), path: target.path, query: Dictionary(items, uniquingKeysWith: { $1 }))
    }
    private static let reasons = [
        200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
    ]

    /// Answers whether the connection goes on.
    private func send(_ answer: HTTPAnswer) -> Bool {
        let head = """
            HTTP/1.1 \(answer.status) \(Self.reasons[answer.status] ?? "Status")\r
            Content-Type: \(answer.type)\r
            Content-Length: \(answer.announced ?? answer.body.count)\r
            \r

            """
        let written = stream.write(Array(head.utf8) + answer.body)
        if case .closed = written { return false }
        return answer.announced == nil
    }
}
