import Foundation
import WeirCaching
import WeirEvents
import WeirRouting

/// The house behind the search field: a cache for pictures, a router that opens them, a topic that says what was opened.
final class Gallery: Sendable {
    /// A picture that was opened.
    struct Opened: Sendable {
        let photo: Photo
        let bytes: Data
        /// Which level had it.
        let source: String
    }
    /// What happens in the gallery.
    enum Event: Sendable, CustomStringConvertible {
        case opened(Opened)
        case closed
        var description: String {
            switch self {
            case .opened(let picture): "opened \(picture.photo.id), \(picture.bytes.count) bytes from \(picture.source)"
            case .closed: "closed"
            }
        }
    }
    let router = Router()
    /// What happens, signed by the gallery.
    let events = SignedTopic<Event>("Gallery.events")

    private let memory = MemoryLevel<PictureKey, Data>(limit: 50_000_000)
    /// nil where its folder cannot be used.
    private let disk: DiskLevel<PictureKey, Data>?
    private let pictures: AnyLevel<PictureKey, Data>

    init(folder: URL?, service: PhotoService) {
        disk = folder.map { DiskLevel(directory: $0, limit: 100_000_000) }
        let network = NetworkFetcher(timeout: .seconds(20), request: { service.request(for: $0) })
        let source = Fetcher<PictureKey, Data> { try await network.value(forKey: $0.url) }
        let below = disk.map { $0.compose(source).normalized() } ?? source.normalized()
        pictures = memory.compose(below.pooled()).normalized()
    }

    /// Registers `photos://photo/:id`; the photo itself is passed along with the URL.
    func registerRoutes() {
        router.map("photos://photo/:id") { [weak self] request in
            guard let self else { return }
            let id = try request.parameters.require("id", as: String.self)
            guard let photo = request.passed as? Photo, photo.id == id else {
                throw Complaint.search("photos://photo/\(id) was opened without its photo")
            }
            events.publish(.opened(try await open(photo)), signedBy: self)
        }
    }
    /// Nothing is opened any more.
    func close() { events.publish(.closed, signedBy: self) }

    /// The picture of a photo, from the highest level that has it.
    func open(_ photo: Photo) async throws -> Opened {
        guard let url = URL(string: photo.urls.small) else {
            throw Complaint.search("photo \(photo.id) has no address: \"\(photo.urls.small)\"")
        }
        let before = (memory.statistics.hits, disk?.statistics.hits ?? 0)
        let bytes = try await pictures.value(forKey: PictureKey(id: photo.id, url: url))
        let source =
            memory.statistics.hits > before.0 ? "memory" : (disk?.statistics.hits ?? 0) > before.1 ? "disk" : "network"
        return Opened(photo: photo, bytes: bytes, source: source)
    }

    /// Hits and misses, of each level and of all together.
    var statistics: String {
        """
        memory: \(memory.statistics)
        disk:   \(disk.map { "\($0.statistics)" } ?? "none")
        cache:  \(pictures.statistics)
        """
    }
}

/// A picture is the photo's, whatever address it comes from: the embedded server has another port each time.
struct PictureKey: CacheKey {
    let id: String
    let url: URL

    var cacheBytes: [UInt8] { "small/\(id)".cacheBytes }
    static func == (left: PictureKey, right: PictureKey) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
