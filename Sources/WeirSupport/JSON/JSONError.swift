/// What goes wrong between JSON and values, in words that name the place.
public enum JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The guard refused the text before anything decoded it, or what was encoded went over its limits.
    case refused(JSONGuardError)
    /// A value with `depth` arrays and objects inside one another, more than the guard's `limit`, was not encoded.
    case tooDeep(depth: Int, limit: Int)
    /// The text is not JSON. `offset` is the byte, counted from 0; `reason` says what was expected there.
    case malformed(offset: Int, reason: String)
    /// The text is JSON, but does not fit the type. `path` leads to the place, as in `photos[3].title`.
    case mismatch(type: String, path: String, reason: String)
    /// The value has no form in JSON. `path` leads to the place, as in `photos[3].ratio`.
    case unencodable(type: String, path: String, reason: String)

    /// The fault, its place, and what was expected.
    public var description: String {
        switch self {
        case .refused(let fault): fault.description
        case .tooDeep(let depth, let limit):
            "a value of \(depth) arrays and objects inside one another refused, the limit is \(limit); build it flatter, "
                + "or raise JSONGuard's depth up to \(JSONGuard.deepest)"
        case .malformed(let offset, let reason): "not JSON at byte \(offset): \(reason)"
        case .mismatch(let type, let path, let reason): "the JSON does not fit \(type) at \(path): \(reason)"
        case .unencodable(let type, let path, let reason): "\(type) has no form in JSON at \(path): \(reason)"
        }
    }
}
