import Foundation
import WeirSupport

/// The photo service in small: answers searches from the bundled photos, and serves their bytes.
struct PhotoServer: Sendable {
    private let server: HTTPServer
    var address: String { server.address }

    /// - Parameter port: of this machine's loopback; 0 is any free one.
    init(port: UInt16) throws(Complaint) {
        let catalogue = try Catalogue()
        server = try HTTPServer(port: port) { catalogue.answer($0) }
        catalogue.address.withLock { $0 = server.address }
    }
    func close() { server.close() }
}

/// The bundled photos.
private final class Catalogue: Sendable {
    let address = Lock("")
    private let photos: [JSONValue]

    init() throws(Complaint) {
        do {
            let value = try JSONValue(parsing: Data(contentsOf: Samples.file("search.json")))
            photos = value["results"]?.array ?? []
        } catch {
            throw .server("the bundled photos cannot be read: \(error)")
        }
    }
    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard request.method == "GET" else { return .text(405, "only GET is answered here") }
        if request.path == "/search/photos" { return search(request.query["query"] ?? "") }
        guard let image = image(request.path) else { return .text(404, "there is nothing at \(request.path)") }
        return HTTPAnswer(type: "image/jpeg", body: image)
    }
    /// Every photo whose description has all the words.
    private func search(_ query: String) -> HTTPAnswer {
        let words = query.lowercased().split(whereSeparator: \.isWhitespace)
        let found = photos.filter { photo in
            let text = photo["alt_description"]?.string?.lowercased() ?? ""
            return !words.isEmpty && words.allSatisfy { text.contains($0) }
        }
        let answer: JSONValue = ["total": .init(found.count), "total_pages": 1, "results": .array(found)]
        let here = address.withLock { $0 }
        return HTTPAnswer(body: Array(answer.description.replacing("{server}", with: here).utf8))
    }
    /// Only what is bundled: the name is looked for in the folder's list, so no path leads out of it.
    private func image(_ path: String) -> [UInt8]? {
        guard path.hasPrefix("/images/") else { return nil }
        let name = String(path.dropFirst("/images/".count))
        let folder = Samples.file("images")
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard names?.contains(name) == true else { return nil }
        return (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) }
    }
}
