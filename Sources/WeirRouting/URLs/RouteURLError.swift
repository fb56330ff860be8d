/// Why a text is no URL that a router can read.
public struct RouteURLError: Error, Hashable, CustomStringConvertible {
    /// The text as it came.
    public let url: String
    /// Where the fault is, in UTF-8 bytes from the start of `url`.
    public let offset: Int
    /// What is wrong there.
    public let reason: String

    /// The URL, the place and the reason.
    public var description: String { "not a URL: \"\(url)\", at byte \(offset): \(reason)" }
}

/// A fault in the text at hand, before it is known which text that is a part of.
struct URLFault: Error {
    /// In bytes from the start of the part.
    var offset: Int
    var reason: String

    func shifted(by distance: Int) -> URLFault { URLFault(offset: offset + distance, reason: reason) }
}
