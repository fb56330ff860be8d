// URLSession as the mover of bytes. It has no URL cache, which on Linux is what makes an early cancel safe (with one, the
// task registry stops the process), and it uses a delegate and not completion handlers, so that a body over its limit is
// dropped as it comes. There is no back-pressure: the limit bounds the memory of a transfer.

import Foundation
import Weir

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transfers by URLSession, without a cache.
public final class URLSessionEngine: FetchEngine {
    private let session: URLSession
    private let transfers: Transfers

    /// The engine that fetchers use where they are given no other.
    public static let shared = URLSessionEngine()

    /// An engine with a session of its own.
    ///
    /// - Parameter configuration: connections, headers, proxies; its URL cache is taken away.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        transfers = Transfers()
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// One answer, then the end; cancel ends the transfer.
    public func fetch(_ request: URLRequest, limit: Int) -> Observable<FetchAnswer, CacheError> {
        .create { [session, transfers] emitter in
            let task = session.dataTask(with: request)
            transfers.add(Transfer(request, emitter, limit), as: task.taskIdentifier)
            emitter.onTermination {
                if transfers.remove(task.taskIdentifier) != nil { task.cancel() }
            }
            task.resume()
        }
    }

    /// How many transfers are under way.
    var underWay: Int { transfers.count }
}

/// One transfer: what has come so far, and who waits for it.
private struct Transfer: Sendable {
    let source: String
    let timeout: Double
    let limit: Int
    let emitter: Emitter<FetchAnswer, CacheError>
    var answer: FetchAnswer?
    var expected: Int?

    init(_ request: URLRequest, _ emitter: Emitter<FetchAnswer, CacheError>, _ limit: Int) {
        source = request.url?.absoluteString ?? "a request without URL"
        timeout = request.timeoutInterval
        self.limit = limit
        self.emitter = emitter
    }

    /// The server's head. Throws what makes the rest superfluous.
    mutating func begin(_ response: URLResponse) throws(CacheError) {
        guard let http = response as? HTTPURLResponse else { throw .fetch(.notHTTP, from: source) }
        var headers: [String: String] = [:]
        for (name, value) in http.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
        answer = FetchAnswer(status: http.statusCode, headers: headers, body: Data())
        // A coded body is announced in its coded length, which is not the length that arrives here.
        guard headers["content-encoding"] == nil, response.expectedContentLength >= 0 else { return }
        let length = Int(response.expectedContentLength)
        expected = length
        guard length <= limit else { throw .tooLarge(size: length, limit: limit) }
    }

    mutating func take(_ data: Data) throws(CacheError) {
        let size = (answer?.body.count ?? 0) + data.count
        guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
        answer?.body.append(data)
    }

    /// The end, as the session sees it.
    func end(_ error: (any Error)?) {
        let received = answer?.body.count ?? 0
        if let answer, let expected, received < expected {
            // A status outside success is the more telling news.
            guard (200..<300).contains(answer.status) else { return succeed(answer) }
            return emitter.fail(.fetch(.shortBody(received: received, expected: expected), from: source))
        }
        if let error { return emitter.fail(failure(error)) }
        guard let answer else { return emitter.fail(.fetch(.notHTTP, from: source)) }
        succeed(answer)
    }

    private func succeed(_ answer: FetchAnswer) {
        emitter.send(answer)
        emitter.finish()
    }

    private func failure(_ error: any Error) -> CacheError {
        let code = (error as NSError).domain == NSURLErrorDomain ? (error as NSError).code : 0
        switch code {
        case NSURLErrorTimedOut: return .fetch(.timedOut(seconds: timeout), from: source)
        case NSURLErrorCancelled: return .cancelled
        case NSURLErrorUnsupportedURL where answer == nil: return .fetch(.notHTTP, from: source)
        default: return .fetch(.connection(error.localizedDescription), from: source)
        }
    }
}

/// The transfers of one session, by the numbers of their tasks.
private final class Transfers: NSObject, URLSessionDataDelegate, Sendable {
    private let table = Lock<[Int: Transfer]>([:])

    var count: Int { table.withLock { $0.count } }

    func add(_ transfer: Transfer, as number: Int) { table.withLock { $0[number] = transfer } }

    func remove(_ number: Int) -> Transfer? { table.withLock { $0.removeValue(forKey: number) } }

    /// Changes a transfer; one that fails is over for us, and its task is cancelled.
    private func change(_ task: URLSessionTask, _ step: (inout Transfer) throws(CacheError) -> Void) {
        let failed = table.withLock { table -> (Transfer, CacheError)? in
            // Taken out while it is changed, so that its body is not copied.
            guard var transfer = table.removeValue(forKey: task.taskIdentifier) else { return nil }
            do throws(CacheError) {
                try step(&transfer)
                table[task.taskIdentifier] = transfer
                return nil
            } catch {
                return (transfer, error)
            }
        }
        guard let (transfer, error) = failed else { return }
        task.cancel()
        transfer.emitter.fail(error)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        change(dataTask) { transfer throws(CacheError) in try transfer.begin(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        change(dataTask) { transfer throws(CacheError) in try transfer.take(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        remove(task.taskIdentifier)?.end(error)
    }
}
