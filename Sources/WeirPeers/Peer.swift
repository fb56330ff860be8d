// Who is at the other end: an id that stays, and a name for people to read. Two peers are the same when their ids are;
// the name may change at any time.

/// Somebody to talk to.
///
/// The id decides: two values with one id are equal, whatever their names say.
public struct Peer: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// What stays the same for one peer, wherever it is and whatever it calls itself.
    public let id: ID
    /// What people read: at most 63 bytes of UTF-8, no control characters.
    public let name: String

    /// A peer from its id and its name.
    public init(id: ID, name: String) {
        self.id = id
        self.name = name
    }

    /// Two peers are equal when their ids are.
    public static func == (left: Peer, right: Peer) -> Bool { left.id == right.id }

    /// Hashes the id alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The name.
    public var description: String { name }
}

extension Peer {
    /// Thirty-two bytes that name one peer: the hash of its key, or random bytes where there is no key.
    ///
    /// Ids have an order, by their bytes. When two peers dial each other at once, the line dialled by the greater id
    /// stays (as in BGP, RFC 4271 §6.8).
    public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
        /// How many bytes an id has.
        public static let byteCount = 32

        private let words: (UInt64, UInt64, UInt64, UInt64)

        /// An id from exactly 32 bytes; nil for any other count.
        public init?(bytes: some Collection<UInt8>) {
            guard bytes.count == Self.byteCount else { return nil }
            var words: [UInt64] = [0, 0, 0, 0]
            for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
            self.words = (words[0], words[1], words[2], words[3])
        }

        private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

        /// A new id from the system's random numbers.
        public static func random() -> ID {
            var source = SystemRandomNumberGenerator()
            return random(using: &source)
        }

        /// A new id from a source of random numbers of your own: the same source, the same ids.
        public static func random(using source: inout some RandomNumberGenerator) -> ID {
            ID(words: (source.next(), source.next(), source.next(), source.next()))
        }

        /// The 32 bytes.
        public var bytes: [UInt8] {
            [words.0, words.1, words.2, words.3].flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
            }
        }

        /// Two ids are equal when all bytes are.
        public static func == (left: ID, right: ID) -> Bool { left.words == right.words }

        /// By the bytes, the first one counting most.
        public static func < (left: ID, right: ID) -> Bool { left.words < right.words }

        /// Hashes all bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
            hasher.combine(words.1)
            hasher.combine(words.2)
            hasher.combine(words.3)
        }

        /// The first four bytes in hexadecimal, for people; `bytes` has all of them.
        public var description: String {
            bytes.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }
}

/// The rule for names that people read (RFC 6763 §4.1.1), ours and those of others.
enum PeerName {
    static let byteLimit = 63

    /// What is wrong with a name, or nil where it can be shown.
    static func fault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > byteLimit { return "has \(name.utf8.count) bytes, the limit is \(byteLimit)" }
        // Marks that turn the direction of text let one name look like another.
        let hidden = name.unicodeScalars.first { $0.properties.generalCategory == .control || turnsText($0) }
        guard let hidden else { return nil }
        return "contains the character U+" + String(hidden.value, radix: 16, uppercase: true)
            + ", which cannot be shown"
    }

    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
