import struct Foundation.URL
import struct Foundation.UUID

// Foundation's side: the only file of this module that knows it.

extension Router {
    /// Opens a URL and waits for the outcome; see the form that takes a text.
    @discardableResult
    public func open(_ url: URL, passing: (any Sendable)? = nil) async -> RouteOutcome {
        await open(url.absoluteString, passing: passing)
    }

    /// Opens a URL at once and waits for nothing; see the form that takes a text.
    @discardableResult
    public func open(_ url: URL, passing: (any Sendable)? = nil) -> OpenedRoute {
        open(url.absoluteString, passing: passing)
    }

    /// Whether a route takes the URL now.
    public func canOpen(_ url: URL) -> Bool { canOpen(url.absoluteString) }
}

extension RouteRequest {
    /// The URL as Foundation reads it, or nil where it does not.
    public var foundationURL: URL? { URL(string: url) }
}

extension RouteParameters {
    /// The value of a name as a UUID.
    ///
    /// - Throws: `RouteParameterError` where no source has the name, or where the value is no UUID.
    public func require(_ name: String, as type: UUID.Type) throws(RouteParameterError) -> UUID {
        let text = try require(name, as: String.self)
        guard let value = UUID(uuidString: text) else {
            throw RouteParameterError(name: name, value: text, type: "\(type)")
        }
        return value
    }
}
