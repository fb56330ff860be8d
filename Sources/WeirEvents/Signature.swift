/// Who signed an event: an identity that belongs to one object for ever.
///
/// Two signatures are equal exactly if their serials are. A serial is given once in a process, so the signature of an
/// object that is gone never matches a new one, even at the same address.
public struct Signature: Sendable, Hashable, CustomStringConvertible {
    /// The number of this identity in this process.
    public let serial: UInt64

    /// A new identity, for an object that keeps its own: `let signature = Signature()` in a `Signing` type.
    public init() { serial = SignatureTable.shared.next() }

    /// The identity of `object`, given at the first time it is asked for. O(1).
    public init(of object: AnyObject) {
        if let own = (object as? any Signing)?.signature {
            self = own
        } else {
            self = SignatureTable.shared.signature(of: object)
        }
    }

    init(serial: UInt64) { self.serial = serial }

    /// Is this the identity of `object`? nil belongs to nobody.
    public func belongs(to object: AnyObject?) -> Bool {
        guard let object else { return false }
        return self == Signature(of: object)
    }

    /// As in `Signature(12)`.
    public var description: String { "Signature(\(serial))" }
}

/// An object that keeps its signature itself, which spares the look-up in the process's table.
public protocol Signing: AnyObject {
    /// `let signature = Signature()`.
    var signature: Signature { get }
}

/// The process's identities: object to serial, the objects held weakly.
final class SignatureTable: Sendable {
    private struct Entry {
        weak var object: AnyObject?
        let serial: UInt64
    }
    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var last: UInt64 = 0
        /// Sweep when the table has grown to this: twice what the last sweep left, so a look-up is O(1), amortised.
        var sweepAt = 64

        /// The signature, and what a sweep has touched.
        mutating func look(up object: AnyObject) -> (Signature, [AnyObject]) {
            let key = ObjectIdentifier(object)
            // An entry at the same address whose object is gone belonged to another.
            if let known = entries[key], known.object != nil { return (Signature(serial: known.serial), []) }
            last += 1
            entries[key] = Entry(object: object, serial: last)
            return (Signature(serial: last), entries.count >= sweepAt ? sweep() : [])
        }
        private mutating func sweep() -> [AnyObject] {
            var alive: [AnyObject] = []
            entries = entries.filter { entry in
                guard let object = entry.value.object else { return false }
                alive.append(object)
                return true
            }
            sweepAt = max(64, entries.count * 2)
            return alive
        }
    }
    static let shared = SignatureTable()
    private let state = Lock(State())

    func next() -> UInt64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }
    func signature(of object: AnyObject) -> Signature {
        let (signature, released) = state.withLock { $0.look(up: object) }
        _ = released  // outside the lock: the last reference may be among them, and a deinit is foreign code
        return signature
    }
    /// How many identities are remembered, the dead ones that were not swept yet among them.
    var count: Int { state.withLock { $0.entries.count } }
}
