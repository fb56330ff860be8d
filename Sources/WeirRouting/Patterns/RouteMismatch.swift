/// One reason why a pattern does not take a URL.
///
/// This is the plain reading of a pattern, one segment after the other. Proxies and explanations use it; the table's
/// search must agree with it.
public enum RouteMismatch: Hashable, Sendable, CustomStringConvertible {
    /// The pattern demands another scheme; nil where the URL has none.
    case scheme(String, got: String?)
    /// The pattern demands a host and the URL has none.
    case noHost
    /// The pattern is for URLs without a host.
    case unwantedHost(String)
    /// A literal met another segment.
    case literal(String, got: String)
    /// A constraint refused a segment; the parameter as the pattern spells it.
    case constraint(String, got: String)
    /// The URL ended before this segment of the pattern.
    case missing(String)
    /// The pattern ended before this segment of the URL.
    case surplus(String)
    /// One of both ends with a slash, and slashes count.
    case trailingSlash(wanted: Bool)

    /// The reason in words.
    public var description: String {
        switch self {
        case .scheme(let wanted, let got?): "its scheme is \(wanted), not \(got)"
        case .scheme(let wanted, nil): "its scheme is \(wanted), and the URL has none"
        case .noHost: "it needs a host"
        case .unwantedHost(let host): "it takes no host, and \"\(host)\" is one"
        case .literal(let wanted, let got): "\"\(wanted)\" is not \"\(got)\""
        case .constraint(let parameter, let got): "\(parameter) did not take \"\(got)\""
        case .missing(let segment): "nothing is left for \(segment)"
        case .surplus(let segment): "nothing takes \"\(segment)\""
        case .trailingSlash(let wanted): wanted ? "it ends with a slash" : "it ends without a slash"
        }
    }
}

extension RoutePattern {
    /// Whether this pattern takes the URL.
    func takes(_ url: RouteURL, _ options: RoutingOptions) -> Bool {
        mismatches(with: url, options, limit: 1).isEmpty
    }

    /// What speaks against this pattern, up to `limit` reasons.
    func mismatches(with url: RouteURL, _ options: RoutingOptions, limit: Int) -> [RouteMismatch] {
        var reasons = frameMismatches(with: url, options)
        let wanted = storage.segments
        for (index, segment) in wanted.enumerated() where reasons.count < limit {
            if index < url.segments.count {
                let folds = !options.contains(.exactPathCase) || index == 0 && url.hasHost
                if let reason = segment.mismatch(with: url.segments[index], folds) { reasons.append(reason) }
            } else if !(storage.isLastOptional && index == wanted.count - 1) {
                reasons.append(.missing(segment.description))
            }
        }
        if storage.rest == nil { reasons += url.segments.dropFirst(wanted.count).map { .surplus($0) } }
        return Array(reasons.prefix(limit))
    }

    /// What scheme, host and trailing slash say against it.
    private func frameMismatches(with url: RouteURL, _ options: RoutingOptions) -> [RouteMismatch] {
        var reasons: [RouteMismatch] = []
        if let scheme = storage.scheme, scheme != url.scheme { reasons.append(.scheme(scheme, got: url.scheme)) }
        switch storage.host {
        case .any: break
        case .required where !url.hasHost:
            // `app://:x?` takes `app://`, where the optional segment is the host.
            if storage.scheme == nil || !storage.isLastOptional || !url.segments.isEmpty { reasons.append(.noHost) }
        case .absent where url.hasHost: reasons.append(.unwantedHost(url.segments.first ?? ""))
        case .required, .absent: break
        }
        if options.contains(.significantTrailingSlash), storage.rest == nil,
            storage.hasTrailingSlash != url.hasTrailingSlash
        {
            reasons.append(.trailingSlash(wanted: storage.hasTrailingSlash))
        }
        return reasons
    }
}

extension RoutePattern.Segment {
    fileprivate func mismatch(with segment: String, _ folds: Bool) -> RouteMismatch? {
        switch self {
        case .any, .parameter(_, nil): return nil
        case .parameter(_, let constraint?):
            return segment.withBytes(constraint.takes) ? nil : .constraint(description, got: segment)
        case .literal(let text):
            let isSame = folds ? text.lowercased() == segment.lowercased() : text == segment
            return isSame ? nil : .literal(text, got: segment)
        }
    }
}
