import Foundation
import WeirCaching
import WeirEvents
import WeirPeers
import WeirSupport

/// The whole house without a screen: typed queries, search, cache, routes, events, and a second process that receives.
struct Headless: Sendable {
    let options: Options

    /// Runs to the end of the queries. Answers how many jobs failed.
    func run() async throws -> Int {
        let strokes = try Queries.load(options.queries)
        if let log = options.log { InformBureau.shared.enable(try InformSink.file(log)) }
        let folder = try cacheFolder()
        let server = options.host == nil ? try PhotoServer(port: options.port) : nil
        defer { server?.close() }
        if let server {
            say("server", "no --host, so the embedded server answers with bundled photos at \(server.address)")
        }
        let service = try PhotoService(base: options.host ?? server?.address ?? "", apiKey: options.apiKey)
        let gallery = Gallery(folder: folder, service: service)
        gallery.registerRoutes()
        let sender = try await Sender(options.peer)
        let searched = await show(strokes, service, gallery, sender)
        let failures = searched + (await PrivateAlbum(gallery.router).visit())
        await sender?.close()
        print(gallery.statistics)
        return failures
    }

    private func show(
        _ strokes: [Keystroke], _ service: PhotoService, _ gallery: Gallery, _ sender: Sender?
    ) async -> Int {
        let answers = NetworkFetcher(timeout: .seconds(20), request: { service.request(for: $0) })
        let model = SearchModel { query in
            answers.get(service.searchURL(query))
                .mapError { $0 as any Error }
                .decode(SearchAnswer.self, using: PhotoService.coder)
        }
        let failed = Failures()
        let events = gallery.events.values
        let sending = Task {
            for await event in events {
                guard case .opened(let picture) = event.value else { return }
                let isOurs = event.signature?.belongs(to: gallery) == true
                await Self.opened(picture, isOurs, sender, failed)
            }
        }
        let start = ContinuousClock.now
        let typed = Observable<String, Never>.typing(strokes, on: .continuous).map { text in
            say("typed", "\(Int((ContinuousClock.now - start) / .milliseconds(1))) ms \"\(text)\"")
            return text
        }
        for await outcome in model.bind(query: typed, on: .continuous).values {
            switch outcome {
            case .failed(let query, let why):
                failed.count.add()
                complain(.search("\"\(query)\" failed: \(why)"))
            case .found(let query, let photos):
                say("found", "\(photos.count) \(photos.count == 1 ? "photo" : "photos") for \"\(query)\"")
                for photo in photos { await Self.open(photo, gallery, failed) }
            }
        }
        gallery.close()
        await sending.value
        return failed.count.value
    }

    private static func open(_ photo: Photo, _ gallery: Gallery, _ failed: Failures) async {
        let outcome = await gallery.router.open("photos://photo/\(photo.id)", passing: photo)
        if outcome.isHandled { return say("route", "\(outcome)") }
        failed.count.add()
        complain(.search("photos://photo/\(photo.id) was not opened: \(outcome)"))
    }

    private static func opened(
        _ picture: Gallery.Opened, _ isOurs: Bool, _ sender: Sender?, _ failed: Failures
    ) async {
        say(
            "event",
            "opened \(picture.photo.id), \(picture.bytes.count) bytes from \(picture.source)"
                + (isOurs ? ", signed by the gallery" : ""))
        guard let sender else { return }
        do {
            try await sender.send(picture)
            say("sent", "\(picture.photo.id).jpg \(picture.bytes.count) bytes \(SHA256Hasher.hex(picture.bytes))")
        } catch {
            failed.count.add()
            complain(.peer("\(picture.photo.id).jpg was not sent: \(error)"))
        }
    }

    /// The disk cache's folder; nil, and a line that says why, where it cannot be used: the pictures still come.
    private func cacheFolder() throws(Complaint) -> URL? {
        let standard = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let base = options.cache.map { URL(fileURLWithPath: $0) } ?? standard?.appending(path: "Photos/weir")
        guard let base else { throw .cache("this user has no cache folder; say --cache FOLDER") }
        do {
            try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
            // Written and removed for real: permissions alone do not tell, least of all to root.
            let probe = base.appending(path: ".writable-\(ProcessInfo.processInfo.processIdentifier)")
            try Data().write(to: probe)
            try FileManager.default.removeItem(at: probe)
            _ = try FileManager.default.contentsOfDirectory(atPath: base.path)
            return base
        } catch {
            complain(.cache("\(base.path) cannot be used (\(error.localizedDescription)); going on without a disk"))
            return nil
        }
    }
}

/// Jobs that failed, counted from several tasks.
private final class Failures: Sendable { let count = Tally() }

/// A line of what happened: the stage, then what it did.
func say(_ stage: String, _ what: String) {
    print(stage.padding(toLength: 7, withPad: " ", startingAt: 0) + what)
    fflush(nil)
}

/// A line of what went wrong, on standard error.
func complain(_ complaint: Complaint) { FileHandle.standardError.write(Data("\(complaint)\n".utf8)) }
