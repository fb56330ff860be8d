/// A URL taken apart, every part decoded: what proxies and explanations look at.
///
/// The table itself matches on bytes (`URLOutline`) and makes none of this.
struct RouteURL: Sendable {
    let text: String
    /// In lower case.
    let scheme: String?
    let hasHost: Bool
    /// The host, then the path.
    let segments: [String]
    let hasTrailingSlash: Bool
    let fragment: String?
    /// The text before `?` and `#`.
    let route: String

    init(_ text: String) throws(RouteURLError) {
        let outcome: Result<RouteURL, URLFault> = text.withBytes { bytes in
            do throws(URLFault) { return .success(try RouteURL(text, bytes)) } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let url): self = url
        case .failure(let fault): throw RouteURLError(url: text, offset: fault.offset, reason: fault.reason)
        }
    }

    private init(_ text: String, _ bytes: UnsafeRawBufferPointer) throws(URLFault) {
        let outline = try URLOutline(bytes, spans: .init(start: nil, count: 0))
        self.text = text
        scheme =
            outline.schemeEnd > 0 ? String(decoding: bytes[..<outline.schemeEnd], as: UTF8.self).lowercased() : nil
        hasHost = outline.hasHost
        hasTrailingSlash = outline.hasTrailingSlash
        var segments: [String] = []
        if !outline.path.isEmpty {
            for part in bytes[outline.path].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                segments.append(try decoded(part, plusIsSpace: false))
            }
        }
        self.segments = segments
        fragment = if let range = outline.fragment { try decoded(bytes[range], plusIsSpace: false) } else { nil }
        let routeEnd = outline.path.upperBound + (outline.hasTrailingSlash ? 1 : 0)
        route = String(decoding: bytes[..<routeEnd], as: UTF8.self)
    }
}

/// The text of one part; plain bytes take the fast way.
func decoded(_ part: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool) throws(URLFault) -> String {
    let isPlain = !part.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
    if isPlain { return String(decoding: UnsafeRawBufferPointer(rebasing: part), as: UTF8.self) }
    switch percentDecoded(part, plusIsSpace: plusIsSpace) {
    case .success(let text): return text
    case .failure(let fault): throw fault.shifted(by: part.startIndex)
    }
}
