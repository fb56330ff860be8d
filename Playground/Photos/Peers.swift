import Foundation
import WeirPeers
import WeirSupport

/// The way to a second process: `Photos --receive PORT`.
struct Sender: Sendable {
    private let local: LocalPeer
    private let peer: Peer
    private let outgoing: URL

    /// Connects; nil where nobody is to receive.
    init?(_ place: String?) async throws(Complaint) {
        guard let place else { return nil }
        let parts = place.split(separator: ":", maxSplits: 1)
        guard let last = parts.last, let port = UInt16(last) else {
            throw .usage("--send takes a port, or a host and a port, not \"\(place)\"")
        }
        let host = parts.count == 2 ? String(parts[0]) : "127.0.0.1"
        local = LocalPeer(NetworkSession(name: "Photos", encryption: .none))
        do {
            peer = try await local.connect(host: host, port: port, timeout: .seconds(10)).peer
            outgoing = try Self.temporaryFolder("outgoing")
        } catch {
            throw .peer("\(host):\(port) does not take pictures: \(error); start Photos --receive \(port) there")
        }
    }
    /// Sends one picture as a file; it is whole on the other side when this returns.
    func send(_ picture: Gallery.Opened) async throws {
        let file = outgoing.appending(path: "\(picture.photo.id).jpg")
        try picture.bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await local.send(file: file, to: peer)
    }
    func close() async {
        await local.close(within: .seconds(5))
        try? FileManager.default.removeItem(at: outgoing)
    }
    static func temporaryFolder(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Takes pictures and prints name, size and SHA-256 of each.
struct Receiver: Sendable {
    let port: UInt16
    let options: Options

    /// Runs until the wanted number has come, or until it is stopped. Answers how many failed.
    func run() async throws -> Int {
        let folder = try options.into.map { URL(fileURLWithPath: $0) } ?? Sender.temporaryFolder("received")
        let session = NetworkSession(name: "Photos receiver", encryption: .none, host: "127.0.0.1", port: port)
        let local = LocalPeer(session)
        let bag = SubscriptionBag()
        local.invitations.subscribe { $0.accept() }.store(in: bag)
        let files = local.receive(filesInto: folder).map { FileOrError.file($0) }
        let errors = local.errors.map { FileOrError.error($0) }
        // Subscribed before it starts: a port in use is told at once.
        var all = files.merge(with: errors).values.makeAsyncIterator()
        local.startAdvertising()
        if let port = session.port { say("ready", "waiting for pictures on port \(port), kept in \(folder.path)") }
        var received = 0
        var failed = 0
        while let event = await all.next() {
            switch event {
            case .error(let error):
                guard session.port != nil else { throw Complaint.peer("\(error)") }
                complain(.peer("\(error)"))
            case .file(.progress): continue
            case .file(.failed(let file, let error)):
                failed += 1
                complain(.peer("\(file.name) did not arrive: \(error)"))
            case .file(.finished(let file, let url)):
                received += 1
                say("got", "\(file.name) \(file.size) bytes \(SHA256Hasher.hex(try Data(contentsOf: url)))")
            }
            if let count = options.count, received + failed >= count { break }
        }
        await local.close(within: .seconds(5))
        return failed
    }
    private enum FileOrError: Sendable {
        case file(FileEvent)
        case error(PeerError)
    }
}
