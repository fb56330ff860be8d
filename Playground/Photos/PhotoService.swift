import Foundation
import WeirSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A photo as the service describes it; two are the same when their ids are.
struct Photo: Sendable, Codable, Equatable {
    struct Addresses: Sendable, Codable {
        let raw, full, regular, small, thumb: String
    }
    let id: String
    let altDescription: String?
    let urls: Addresses

    static func == (left: Photo, right: Photo) -> Bool { left.id == right.id }
}

/// The answer of a search.
struct SearchAnswer: Sendable, Codable {
    let total: Int
    let results: [Photo]
}

/// How the photo service is asked: where it is, and the key it wants.
struct PhotoService: Sendable {
    let base: URL
    let apiKey: String?

    init(base: String, apiKey: String?) throws(Complaint) {
        guard let url = URL(string: base), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host() != nil
        else { throw .search("\"\(base)\" is not an address such as https://api.example.org") }
        self.base = url
        self.apiKey = apiKey
    }

    /// The address of a search: 20 photos a page.
    func searchURL(_ query: String) -> URL {
        base.appending(path: "search/photos").appending(queryItems: [
            URLQueryItem(name: "query", value: query), URLQueryItem(name: "per_page", value: "20"),
        ])
    }

    /// The request for an address; the key goes to the service alone, never to another host.
    func request(for url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("v1", forHTTPHeaderField: "Accept-Version")
        if let apiKey, url.host() == base.host(), url.port == base.port, url.scheme == base.scheme {
            request.setValue("Client-ID \(apiKey)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    /// The service's JSON: keys in snake case, guarded before it is decoded.
    static let coder = JSONCoder(keys: .snakeCase)
}
