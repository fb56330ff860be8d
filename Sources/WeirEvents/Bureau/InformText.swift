// A record as a block of text.

extension Inform {
    /// The record as a block: `(S)` a subscription, `(P)` a publication, `(C)` a cancel, `(W)` a warning. `-->` stands before
    /// a stage with its types, `!->` before the subscriber; each level of a merge is three spaces.
    public var text: String {
        switch self {
        case .subscription(let subscribed): subscribed.text
        case .publication(let published): published.text
        case .cancellation(let cancelled):
            "(C) \(cancelled.labels.map { "\($0) " }.joined())!-> \(cancelled.subscriber)"
                + " #\(cancelled.number)\(place(cancelled.file, cancelled.line))"
        case .warning(let warning): "(W) \(warning.message)\(place(warning.file, warning.line))"
        }
    }
}

/// Where a call stands, as far as it is known: a property does not know who reads it.
private func place(_ file: StaticString, _ line: UInt) -> String { line == 0 ? "" : " (\(file):\(line))" }

extension Inform.Subscribed {
    fileprivate var text: String {
        var lines = chain.lines(0)
        if chain.name == "named", let label = chain.label {
            lines[lines.count - 1] = "--> handled by \(label)"
        }
        lines.append("!-> \(subscriber) #\(number)\(place(file, line))")
        return "(S) " + lines.joined(separator: "\n    ")
    }
}

extension Inform.Published {
    fileprivate var text: String { "(P) \(label): \(type) = \(event)\(place(file, line))" }
}

extension Inform.ChainStage {
    /// From the sources down to this stage, a line a stage.
    fileprivate func lines(_ level: Int) -> [String] {
        let indent = String(repeating: "   ", count: level)
        let isMerging = upstreams.count > 1
        let above = upstreams.flatMap { $0.lines(isMerging ? level + 1 : level) }
        guard let input else {
            return above + [indent + (label.map { "\($0): \(name)<\(output)>" } ?? "\(name): \(output)")]
        }
        let what = label.map { "\(name) \"\($0)\"" } ?? name
        let branches = isMerging ? " (\(upstreams.count) branches)" : ""
        return above + [indent + "--> \(what) \(input) -> \(output)\(branches)"]
    }
}
