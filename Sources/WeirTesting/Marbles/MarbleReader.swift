/// A diagram that cannot be read.
public struct MarbleError: Error, Hashable, CustomStringConvertible {
    /// The diagram.
    public let text: String
    /// What is wrong.
    public let problem: String
    /// Which character is wrong, counted from 0.
    public let position: Int

    /// The problem, the diagram, and a caret below the place.
    public var description: String {
        "marble diagram: \(problem), at character \(position)\n    \(text)\n"
            + "    \(String(repeating: " ", count: position))^"
    }
}

/// Cuts the text of a diagram into signs with their frames.
struct MarbleReader {
    enum Kind: Equatable {
        case element(String)
        /// One of `| # ^ !`.
        case sign(Character)
    }
    struct Token {
        let kind: Kind
        let frame: Int
        let position: Int
    }
    static let reserved: Set<Character> = ["-", "|", "#", "^", "!", "(", ")", "'", " ", "\\"]
    private static let signs: Set<Character> = ["|", "#", "^", "!"]

    private let text: String
    private let characters: [Character]
    private var place = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text)
    }
    func error(_ problem: String, _ position: Int) -> MarbleError {
        MarbleError(text: text, problem: problem, position: position)
    }

    /// The signs, and how many frames there are.
    mutating func read() throws(MarbleError) -> (tokens: [Token], length: Int) {
        var tokens: [Token] = []
        var frame = 0
        var group: (position: Int, count: Int)?
        while place < characters.count {
            let position = place
            let character = characters[place]
            place += 1
            switch character {
            case " ": continue
            case "-":
                if group != nil { throw error("a group is one instant and holds no -", position) }
                frame += 1
            case "(":
                if group != nil { throw error("a group inside a group", position) }
                group = (position, 0)
            case ")":
                guard let open = group else { throw error(") without (", position) }
                if open.count == 0 { throw error("an empty group", open.position) }
                group = nil
                frame += 1
            default:
                let kind: Kind =
                    if character == "'" { .element(try quoted(position)) } else if Self.signs.contains(character) {
                        .sign(character)
                    } else {
                        .element(String(character))
                    }
                tokens.append(Token(kind: kind, frame: frame, position: position))
                if group == nil { frame += 1 } else { group?.count += 1 }
            }
        }
        if let open = group { throw error("( without )", open.position) }
        return (tokens, frame)
    }
    private mutating func quoted(_ start: Int) throws(MarbleError) -> String {
        var element = ""
        while place < characters.count {
            var character = characters[place]
            place += 1
            if character == "'" { return element }
            if character == "\\" && place < characters.count {
                character = characters[place]
                place += 1
            }
            element.append(character)
        }
        throw error("' without its second", start)
    }
}
