// close: a router that ends in order.

extension Router {
    /// Takes no new requests, serves those that were opened before, and cuts them when the time is over.
    ///
    /// It closes the router with all its views. What is opened afterwards, and is no part of a request under way, ends at
    /// once as `.failed(RouterError.closed)`. What is cut is cancelled, and ends as `.failed(RouterError.cut)`. It returns
    /// when every outcome has been told; `requests` and `outcomes` finish then. Registrations stay, and match nothing.
    ///
    /// - Parameter time: how long the requests may take together, in the time of the router's scheduler; zero or less
    ///   cuts them now. Of several calls the earliest counts. Cancelling the task cuts at once. A handler that waits here
    ///   for its own request is cut when the time is over.
    public func close(within time: Duration) async { await hub.close(within: time) }
}

/// Why a router did not serve a request to its end.
public enum RouterError: Error, Hashable, CustomStringConvertible {
    /// The request was opened after the router was closed.
    case closed
    /// The router was closed while the request waited or ran, and its time was over.
    case cut

    /// A sentence.
    public var description: String {
        switch self {
        case .closed: "the router is closed and takes no new requests; open URLs before closing it, or make another one"
        case .cut: "the router was closed before the request was served; give `close(within:)` more time"
        }
    }
}
