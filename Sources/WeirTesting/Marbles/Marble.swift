// Marble diagrams: a stream as a line of text, one character a frame (a millisecond of virtual time).
//
//     a           an element; any character but the ones below
//     'ten'       an element of more characters, or of one of those below; \' and \\ stand for ' and \
//     -           a frame in which nothing happens
//     (ab|)       several signals at one instant; the group takes one frame
//     |  #        the end: finished, failed
//     ^  !        in the diagram of a subscription: subscribed, and cancelled or over
//     a space     is for alignment and takes no time

/// A stream as a diagram: what happens at which frame.
///
///     try Marble("a-(bc|)").marks        // a at 0, b, c and the end at 2
///     "\(marble)"                        // the text again
public struct Marble: Sendable, Hashable, CustomStringConvertible {
    /// What can happen.
    public enum Event: Sendable, Hashable {
        /// An element, by its text.
        case next(String)
        /// `|`
        case finished
        /// `#`
        case failed
    }
    /// Something at its frame.
    public struct Mark: Sendable, Hashable {
        /// Frames since the start of the diagram.
        public let frame: Int
        /// What happens then.
        public let event: Event

        /// An event at a frame.
        public init(_ frame: Int, _ event: Event) {
            self.frame = frame
            self.event = event
        }
    }
    /// What happens, in order.
    public let marks: [Mark]
    /// How many frames the diagram is long.
    public let length: Int

    /// A diagram from what happens.
    ///
    /// - Parameters:
    ///   - marks: in any order; those of one frame stay in theirs.
    ///   - length: frames; it grows to hold all marks. An end closes the diagram, whatever the length.
    public init(_ marks: [Mark], length: Int = 0) {
        let sorted = marks.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
        self.marks = sorted.map(\.element)
        let least = (self.marks.last?.frame ?? -1) + 1
        let isOver = self.marks.contains { $0.event == .finished || $0.event == .failed }
        self.length = isOver ? least : max(least, length)
    }

    /// Reads a diagram.
    ///
    /// - Throws: `MarbleError`, which says what is wrong and where.
    public init(_ text: String) throws(MarbleError) {
        var reader = MarbleReader(text)
        var marks: [Mark] = []
        var isOver = false
        let (tokens, length) = try reader.read()
        for token in tokens {
            let event: Event
            switch token.kind {
            case .element(let text): event = .next(text)
            case .sign("|"): event = .finished
            case .sign("#"): event = .failed
            case .sign(let sign):
                throw reader.error("\(sign) belongs into the diagram of a subscription", token.position)
            }
            if isOver { throw reader.error("nothing can follow the end", token.position) }
            if case .next = event {} else { isOver = true }
            marks.append(Mark(token.frame, event))
        }
        self.init(marks, length: length)
    }

    /// The text.
    public var description: String {
        draw(marks.map { ($0.frame, Self.text(of: $0.event)) }, length: length)
    }

    static func text(of event: Event) -> String {
        switch event {
        case .finished: return "|"
        case .failed: return "#"
        case .next(let text):
            if let only = text.first, text.count == 1, !MarbleReader.reserved.contains(only) { return text }
            let escaped = text.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
            return "'\(String(escaped))'"
        }
    }
}

/// A subscription as a diagram: `--^----!` subscribes at frame 2 and is over at frame 7.
public struct SubscriptionMarble: Sendable, Hashable, CustomStringConvertible {
    /// The frame of `^`.
    public let subscribed: Int
    /// The frame of `!`; nil: it stays.
    public let over: Int?

    /// From its two frames.
    public init(subscribed: Int, over: Int? = nil) {
        self.subscribed = subscribed
        self.over = over
    }
    /// Reads a diagram.
    ///
    /// - Throws: `MarbleError`, which says what is wrong and where.
    public init(_ text: String) throws(MarbleError) {
        var reader = MarbleReader(text)
        var subscribed: Int?
        var over: Int?
        for token in try reader.read().tokens {
            switch token.kind {
            case .sign("^") where subscribed == nil: subscribed = token.frame
            case .sign("!") where subscribed != nil && over == nil: over = token.frame
            case .sign("^"): throw reader.error("a second ^", token.position)
            case .sign("!"): throw reader.error("! needs one ^ before it", token.position)
            default: throw reader.error("the diagram of a subscription knows - ^ ! alone", token.position)
            }
        }
        guard let subscribed else { throw reader.error("no ^ where it subscribes", text.count) }
        self.init(subscribed: subscribed, over: over)
    }
    /// The text.
    public var description: String {
        draw([(subscribed, "^")] + (over.map { [($0, "!")] } ?? []), length: 0)
    }
}

/// Signs on a line of dashes; those of one frame in parentheses.
private func draw(_ signs: [(frame: Int, text: String)], length: Int) -> String {
    var line = ""
    var frame = 0
    var index = 0
    while index < signs.count {
        let first = signs[index].frame
        line += String(repeating: "-", count: max(0, first - frame))
        let group = signs[index...].prefix { $0.frame == first }.map(\.text)
        line += group.count == 1 ? group[0] : "(\(group.joined()))"
        index += group.count
        frame = first + 1
    }
    return line + String(repeating: "-", count: max(0, length - frame))
}
