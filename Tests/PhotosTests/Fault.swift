import Foundation
import WeirTestSupport

@testable import Photos

/// What a server does to the query "cat"; any other query finds nothing.
enum Fault: Sendable {
    case status500, halfBody, deep, notJSON, pictures

    /// - Parameter address: the server's own, for the pictures.
    func answer(_ request: HTTPRequest, at address: String) -> HTTPAnswer {
        if request.path != "/search/photos" { return Self.picture(request.path) }
        guard request.query["query"] == "cat" else { return HTTPAnswer(body: Array(#"{"total":0,"results":[]}"#.utf8)) }
        switch self {
        case .status500: return .text(500, "out of order")
        case .halfBody: return HTTPAnswer(body: Array(#"{"total":1,"res"#.utf8), announced: 4000)
        case .deep: return HTTPAnswer(body: Array(String(repeating: "[", count: 513).utf8))
        case .notJSON: return HTTPAnswer(body: Array("<html>".utf8))
        case .pictures: return Self.photos(["first", "broken", "half", "last"], at: address)
        }
    }
    /// A search's answer with these photos, whose pictures are at the server.
    static func photos(_ ids: [String], at address: String) -> HTTPAnswer {
        let photos = ids.map { id in
            let sizes = ["raw", "full", "regular", "small", "thumb"].map { #""\#($0)":"\#(address)/\#(id)""# }
            return #"{"id":"\#(id)","urls":{\#(sizes.joined(separator: ","))}}"#
        }
        return HTTPAnswer(body: Array(#"{"total":\#(ids.count),"results":[\#(photos.joined(separator: ","))]}"#.utf8))
    }
    /// The picture at a path: refused, cut off, or whole.
    static func picture(_ path: String) -> HTTPAnswer {
        let bytes = Array(repeating: UInt8(7), count: 2000)
        return switch path {
        case "/broken": .text(500, "no picture")
        case "/half": HTTPAnswer(type: "image/jpeg", body: bytes, announced: 4000)
        default: HTTPAnswer(type: "image/jpeg", body: bytes)
        }
    }
}

extension HTTPServer {
    /// A server whose answers name its own address.
    static func answering(_ respond: @escaping @Sendable (HTTPRequest, String) -> HTTPAnswer) throws -> HTTPServer {
        let address = Guarded("")
        let server = try HTTPServer(port: 0) { respond($0, address.withLock { $0 }) }
        address.withLock { $0 = server.address }
        return server
    }
}
