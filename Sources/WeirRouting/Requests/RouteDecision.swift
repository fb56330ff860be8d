/// What a proxy says about a request.
public enum RouteDecision: Sendable {
    /// On to the next proxy, then to the route.
    case proceed
    /// To the route that takes this URL, past all other proxies. The parameters are added to those of earlier rewrites
    /// and replace those of the same name. Without `passing` what was passed stays.
    case rewrite(to: String, RouteParameters = [:], passing: (any Sendable)? = nil)
    /// The same, but all proxies run again, this one too. A restart to a URL and parameters that this request had
    /// already, or the 17th restart, ends as `RouteOutcome.loop`.
    case restart(to: String, RouteParameters = [:], passing: (any Sendable)? = nil)
    /// The end: no route is asked.
    case stop(RouteOutcome)
}

extension RouteDecision: CustomStringConvertible {
    /// As in `.rewrite(to: "photos://login", [callback: "photos://private/7"])`.
    public var description: String {
        switch self {
        case .proceed: ".proceed"
        case .rewrite(let url, let parameters, _): ".rewrite(to: \"\(url)\", \(parameters))"
        case .restart(let url, let parameters, _): ".restart(to: \"\(url)\", \(parameters))"
        case .stop(let outcome): ".stop(\(outcome))"
        }
    }
}
