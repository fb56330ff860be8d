// The graph as text that drawing programs read.

extension InformGraph {
    /// The graph for Mermaid, as in a block of a Markdown page (https://mermaid.js.org/syntax/flowchart.html).
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for node in nodes {
            let text = node.lines.map(Self.escapedForMermaid).joined(separator: "<br/>")
            let shape =
                switch node.kind {
                case .topic: ("([", "])")
                case .source: ("[/", "/]")
                case .stage: ("[", "]")
                case .subscriber: ("{{", "}}")
                }
            lines.append("    n\(node.id)\(shape.0)\"\(text)\"\(shape.1)")
        }
        for edge in edges { lines.append("    n\(edge.from) \(edge.isRedirection ? "-.->" : "-->") n\(edge.to)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The graph in Graphviz' language (https://graphviz.org/doc/info/lang.html), as in `dot -Tsvg`.
    public var dot: String {
        var lines = ["digraph weir {", "    rankdir=LR;", "    node [fontname=\"Helvetica\"];"]
        for node in nodes {
            let text = node.lines.map(Self.escapedForDOT).joined(separator: "\\n")
            let shape =
                switch node.kind {
                case .topic: "shape=ellipse, style=bold"
                case .source: "shape=parallelogram"
                case .stage: "shape=box"
                case .subscriber: "shape=hexagon"
                }
            lines.append("    n\(node.id) [label=\"\(text)\", \(shape)];")
        }
        for edge in edges {
            lines.append("    n\(edge.from) -> n\(edge.to)\(edge.isRedirection ? " [style=dashed]" : "");")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// Mermaid knows characters by `#` and their number; all that is not a letter, a digit or harmless is written so.
    static func escapedForMermaid(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || " .,:-_+()/".unicodeScalars.contains(scalar)
            return isPlain ? String(scalar) : "#\(scalar.value);"
        }.joined()
    }
    /// In a quoted text a quote and a backslash are escaped, and a line's end is written as one.
    static func escapedForDOT(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case _ where scalar.value < 32 || scalar.value == 127: " "
            default: String(scalar)
            }
        }.joined()
    }
}

extension InformGraph.Node {
    /// What a drawing shows: the name, the types, the counts.
    var lines: [String] {
        let events = events == 1 ? "1 event" : "\(events) events"
        let counts: String
        if case .topic(let subscribers) = kind {
            counts = events + (subscribers == 1 ? ", 1 subscriber" : ", \(subscribers) subscribers")
        } else {
            counts = events
        }
        return [name, types, counts].filter { !$0.isEmpty }
    }
}
