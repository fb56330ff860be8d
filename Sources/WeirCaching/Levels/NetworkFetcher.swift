// The source over the network: a URL's body, and a distinct error for each way in which there is none.

import Foundation
import Weir

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an engine brings back: an answer of the server, whatever its status.
public struct FetchAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields by lower-case name.
    public var headers: [String: String]
    /// The whole body.
    public var body: Data

    /// An answer.
    public init(status: Int, headers: [String: String] = [:], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// How bytes come over the network: the one thing that a `NetworkFetcher` leaves to others.
public protocol FetchEngine: Sendable {
    /// One answer, then the end. It acts at each subscription; cancel ends the transfer.
    ///
    /// - Parameters:
    ///   - request: what to ask; its time-out is the longest time without a byte.
    ///   - limit: bytes of body; more fails with `tooLarge`, as soon as it is known.
    func fetch(_ request: URLRequest, limit: Int) -> Observable<FetchAnswer, CacheError>
}

/// A source of data by URL over HTTP. `set`, `remove` and `clear` succeed and do nothing.
///
/// Status outside 200..<300, a short body, no body, a time-out, a body over the limit and an answer that is not HTTP are
/// distinct errors. Cancelling the last subscriber, or the task that waits, cancels the transfer.
public struct NetworkFetcher: CacheLevel {
    private let source: Fetcher<URL, Data>

    /// A source.
    ///
    /// - Parameters:
    ///   - engine: moves the bytes; by default URLSession without a cache of its own.
    ///   - limit: bytes of one body, 16 MiB by default: the whole body is in memory. Zero or less refuses every body with
    ///     `tooLarge`.
    ///   - timeout: the longest time without a byte; URLSession on Linux counts in whole seconds.
    ///   - request: makes the request for a URL: here go headers.
    public init(
        engine: some FetchEngine = URLSessionEngine.shared, limit: Int = 16 << 20, timeout: Duration = .seconds(60),
        request: @escaping @Sendable (URL) -> URLRequest = { URLRequest(url: $0) }
    ) {
        source = Fetcher(entries: { url in
            var request = request(url)
            request.timeoutInterval = timeout.seconds
            guard ["http", "https"].contains(request.url?.scheme?.lowercased()) else {
                throw CacheError.fetch(.notHTTP, from: url.absoluteString)
            }
            guard let answer = try await engine.fetch(request, limit: limit).first else { throw CancellationError() }
            guard (200..<300).contains(answer.status) else {
                throw CacheError.fetch(.status(answer.status), from: url.absoluteString)
            }
            guard !answer.body.isEmpty else { throw CacheError.fetch(.noData, from: url.absoluteString) }
            return CacheEntry(answer.body)
        })
    }

    /// Fetches the URL.
    public func entry(_ key: URL) -> Observable<CacheEntry<Data>, CacheError> { source.entry(key) }

    /// Succeeds and does nothing.
    public func set(_ entry: CacheEntry<Data>, forKey key: URL) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func remove(_ key: URL) -> Observable<Never, CacheError> { .empty() }

    /// Succeeds and does nothing.
    public func clear() -> Observable<Never, CacheError> { .empty() }

    /// Transfers under way may end; then they are cancelled.
    public func close(within time: Duration, on scheduler: some Scheduler) async {
        await source.close(within: time, on: scheduler)
    }

    /// Loads, each a miss of whatever stands above.
    public var statistics: CacheStatistics { source.statistics }
}
