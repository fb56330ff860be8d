// Why a cache did not answer, or did not take. Every case reads as a sentence that names the thing and the limit.
// A miss is an error, too: it is what makes the next level's turn.

import Foundation

/// Why a level has no answer, or did not take what it was given.
public enum CacheError: Error, Sendable {
    /// No level holds the key.
    case notFound
    /// The key was held, and its time is over.
    case expired
    /// A condition said no.
    case conditionNotSatisfied
    /// What was kept under the key is damaged. It has been deleted, so the next load replaces it.
    case corrupt(key: String)
    /// A value is larger than a level's limit. What was there before stays.
    case tooLarge(size: Int, limit: Int)
    /// A key that is not equal to itself, such as NaN: nothing could ever be found under it.
    case keyUnequalToItself(String)
    /// A level could not write, and what stopped it.
    case writeFailed(any Error)
    /// A list of keys was given another number of values.
    case unequalCounts(keys: Int, values: Int)
    /// A key was sent to a lane that `switch` was not given.
    case noLane(String, key: String)
    /// A transformer failed, and why.
    case transform(any Error)
    /// A fetch over the network failed, and where.
    case fetch(FetchFailure, from: String)
    /// The task that waited for it was cancelled.
    case cancelled
    /// The cache was closed before, or while this was under way and had no time left.
    case closed
    /// Something else went wrong below the cache.
    case underlying(any Error)

    /// `error` itself where it is a cache error, else `underlying` around it.
    ///
    /// - Parameter error: what a closure threw.
    @inlinable public init(_ error: any Error) {
        self = error as? CacheError ?? .underlying(error)
    }

    /// Whether the level simply did not have it, so that nothing is wrong: not found, expired or not allowed.
    @inlinable public var isMiss: Bool {
        switch self {
        case .notFound, .expired, .conditionNotSatisfied: true
        default: false
        }
    }
}

extension CacheError: CustomStringConvertible, LocalizedError {
    /// A sentence.
    public var description: String {
        switch self {
        case .notFound: "not found in any level"
        case .expired: "found, but expired"
        case .conditionNotSatisfied: "skipped, because its condition is not satisfied"
        case .corrupt(let key): "the stored value of \(key) is damaged; it was deleted and has to be loaded again"
        case .tooLarge(let size, let limit):
            "a size of \(size) is over the limit of \(limit); raise the limit or keep it out of this level"
        case .keyUnequalToItself(let key):
            "the key \(key) is not equal to itself, so nothing could be found under it; use another key"
        case .writeFailed(let error): "could not write to the level: \(error)"
        case .unequalCounts(let keys, let values):
            "\(keys) keys were given \(values) values; give each key of the list one value"
        case .noLane(let lane, let key): "the key \(key) belongs to the lane \(lane), which the switch does not have"
        case .transform(let error): "could not transform the value: \(error)"
        case .fetch(let failure, let source): "could not fetch \(source): \(failure)"
        case .cancelled: "cancelled before there was an answer"
        case .closed: "the cache is closed and takes no new work; make another one, or close this one later"
        case .underlying(let error): "\(error)"
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

/// What can go wrong between a request and its body.
public enum FetchFailure: Error, Sendable, Equatable {
    /// The server answered, but not with success.
    case status(Int)
    /// The body ended before the announced length.
    case shortBody(received: Int, expected: Int)
    /// The answer was a success without any body.
    case noData
    /// No byte came for so long.
    case timedOut(seconds: Double)
    /// The answer was not HTTP.
    case notHTTP
    /// The connection failed; the system's own words.
    case connection(String)
}

extension FetchFailure: CustomStringConvertible {
    /// A sentence.
    public var description: String {
        switch self {
        case .status(let code): "the server answered with status \(code)"
        case .shortBody(let received, let expected): "the body ended after \(received) of \(expected) bytes"
        case .noData: "the answer has no body"
        case .timedOut(let seconds): "no answer within \(seconds) s"
        case .notHTTP: "the answer is not HTTP"
        case .connection(let reason): "the connection failed: \(reason)"
        }
    }
}
