// The two ends of a file on its way, as the engine keeps them. What touches the disk runs on the transfer's own worker and
// comes back as a step.

import Foundation

/// Somebody who takes files.
struct FileReceiver {
    let ticket: Ticket
    let directory: URL
    let tell: @Sendable (FileEvent) -> Void
    let finish: @Sendable () -> Void
}

typealias Worker = @Sendable (@escaping @Sendable () -> Void) -> Void

final class IncomingTransfer {
    let file: IncomingFile
    let receiver: FileReceiver
    let worker: Worker
    var sink: FileSink?
    /// Bytes that have arrived, and bytes that are on the disk.
    var received = 0
    var written = 0
    var isEnding = false

    init(_ file: IncomingFile, _ receiver: FileReceiver, _ worker: @escaping Worker) {
        self.file = file
        self.receiver = receiver
        self.worker = worker
    }

    /// Removes what has arrived, then tells.
    func fail(_ error: PeerError) {
        worker { [sink, receiver, file] in
            sink?.discard()
            receiver.tell(.failed(file, error))
        }
        sink = nil
    }
}

final class OutgoingTransfer {
    let ticket: Ticket
    let source: FileSource
    let worker: Worker
    let progress: @Sendable (TransferProgress) -> Void
    let done: @Sendable (Result<Void, PeerError>) -> Void
    /// The bytes of one chunk; zero until the receiver has said how much it takes.
    var chunk = 0
    var isReading = false
    var isRead = false
    /// Bytes that the receiver has on its disk.
    var confirmed = 0

    init(
        _ ticket: Ticket, _ source: FileSource, _ worker: @escaping Worker,
        progress: @escaping @Sendable (TransferProgress) -> Void,
        done: @escaping @Sendable (Result<Void, PeerError>) -> Void
    ) {
        self.ticket = ticket
        self.source = source
        self.worker = worker
        self.progress = progress
        self.done = done
    }

    func report() { progress(TransferProgress(bytes: confirmed, total: source.size)) }
}
