import Foundation

/// What the program is asked to do, from its arguments and the environment.
struct Options: Sendable {
    /// What to run.
    enum Mode: Sendable, Equatable {
        case headless
        case receive(port: UInt16)
        case help
    }
    var mode: Mode?
    var queries: String?
    var cache: String?
    /// Where pictures are sent: the port of `Photos --receive` on this machine, or host:port.
    var peer: String?
    /// Where received pictures are kept.
    var into: String?
    /// How many pictures to receive before the program ends; nil: until it is stopped.
    var count: Int?
    /// The port of the embedded server; 0 is any free one.
    var port: UInt16 = 0
    /// The photo service, in place of the embedded server.
    var host: String?
    var apiKey: String?
    /// The file to which the bureau of events writes.
    var log: String?

    static let usage = """
        Photos --headless [--queries FILE] [--send PORT|HOST:PORT] [--cache FOLDER] [--port PORT]
               [--host URL] [--api-key KEY] [--log FILE]
        Photos --receive PORT [--into FOLDER] [--count N]

        --headless     types the queries of FILE, searches, shows, caches, opens and sends the pictures
        --queries      a line a keystroke: milliseconds, then the text of the search field (a sample ships)
        --send         the receiver's port on this machine, or its host and port
        --cache        the folder of the disk cache; default: the user's cache folder
        --port         the port of the embedded server; default: any free one
        --host         the photo service's address, or PHOTOS_HOST; default: the embedded server
        --api-key      the photo service's access key, or PHOTOS_API_KEY
        --log          the file to which the bureau writes who subscribes to what, and what is published
        --receive      waits for pictures on PORT, prints name, size and SHA-256 of each
        --into         where received pictures are kept; default: a new temporary folder
        --count        ends after N pictures
        """

    init(_ arguments: [String], environment: [String: String]) throws(Complaint) {
        host = environment["PHOTOS_HOST"]
        apiKey = environment["PHOTOS_API_KEY"]
        var rest = arguments[...]
        func text(_ flag: String) throws(Complaint) -> String {
            guard let value = rest.popFirst() else { throw .usage("\(flag) needs a value") }
            return value
        }
        func portNumber(_ flag: String) throws(Complaint) -> UInt16 {
            let value = try text(flag)
            guard let port = UInt16(value) else {
                throw .usage("\(flag) takes a port from 0 to 65535, not \"\(value)\"")
            }
            return port
        }
        while let flag = rest.popFirst() {
            switch flag {
            case "--headless": mode = .headless
            case "--receive": mode = .receive(port: try portNumber(flag))
            case "--queries": queries = try text(flag)
            case "--cache": cache = try text(flag)
            case "--send": peer = try text(flag)
            case "--into": into = try text(flag)
            case "--port": port = try portNumber(flag)
            case "--host": host = try text(flag)
            case "--api-key": apiKey = try text(flag)
            case "--log": log = try text(flag)
            case "--count":
                let value = try text(flag)
                guard let number = Int(value), number > 0 else {
                    throw .usage("--count takes a number from 1 on, not \"\(value)\"")
                }
                count = number
            case "--help", "-h": mode = .help
            default: throw .usage("there is no option \"\(flag)\"")
            }
        }
        if mode == nil { throw .usage("say --headless or --receive PORT") }
    }
}

/// What the program cannot do, in one line that says what to do next.
enum Complaint: Error, CustomStringConvertible {
    case usage(String)
    case queries(String)
    case server(String)
    case cache(String)
    case peer(String)
    case search(String)

    var description: String {
        switch self {
        case .usage(let what): "Photos: \(what); Photos --help shows all options"
        case .queries(let what): "Photos: queries: \(what)"
        case .server(let what): "Photos: server: \(what)"
        case .cache(let what): "Photos: cache: \(what)"
        case .peer(let what): "Photos: peer: \(what)"
        case .search(let what): "Photos: search: \(what)"
        }
    }
    /// 2 for a wrong call, 1 for a job that failed.
    var exitCode: Int32 { if case .usage = self { 2 } else { 1 } }
}
