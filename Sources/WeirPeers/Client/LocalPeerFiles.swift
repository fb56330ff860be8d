// Files of the client: out with their progress, in to a directory of the application's choice.

import Foundation

extension LocalPeer {
    /// Sends a file: emits how much of it is on the receiver's disk, and finishes when all of it is there and its SHA-256
    /// is right. Cancel calls it off, and nothing of it is left there.
    ///
    /// It fails with `declined` where nobody receives files, and with the true reason where the disk, the line or the
    /// receiver fails. The file's size is the one that it has at the start.
    ///
    /// - Parameters:
    ///   - file: a file, of any size.
    ///   - name: what it is called there, one plain name of at most 255 bytes; its own name by default.
    ///   - peer: a connected peer.
    public func send(file: URL, name: String? = nil, to peer: Peer) -> Observable<TransferProgress, PeerError> {
        session.send(file: file, name: name ?? file.lastPathComponent, to: peer)
    }

    /// Sends a file, now; returns when all of it is there and verified. Cancelling the task calls it off.
    public func send(file: URL, name: String? = nil, to peer: Peer) async throws(PeerError) {
        let command: Observable<TransferProgress, PeerError> = send(file: file, name: name, to: peer)
        try await end(of: command)
    }

    /// Takes files into a directory for as long as somebody subscribes, and tells what becomes of each.
    ///
    /// A file appears under its name when it is whole and verified; where the name is taken, a number is added. Nothing is
    /// written outside the directory, and nothing is left of a file that fails. Of several subscribers the first one is
    /// given the files. Cancel calls off what is under way.
    public func receive(filesInto directory: URL) -> Observable<FileEvent, Never> {
        session.receiveFiles(into: directory)
    }

    /// Takes files into a directory for as long as somebody subscribes, and gives the finished ones.
    public func receiveFiles(into directory: URL) -> Observable<ReceivedFile, Never> {
        receive(filesInto: directory).compactMap { event in
            if case .finished(let file, let url) = event { ReceivedFile(file: file, url: url) } else { nil }
        }
    }
}

/// A file that is there, whole and verified.
public struct ReceivedFile: Hashable, Sendable, CustomStringConvertible {
    /// What the sender called it, and who that was.
    public let file: IncomingFile
    /// Where it stands.
    public let url: URL

    /// From both.
    public init(file: IncomingFile, url: URL) {
        self.file = file
        self.url = url
    }

    /// As in `notes.txt from Desk`.
    public var description: String { "\(file)" }
}
