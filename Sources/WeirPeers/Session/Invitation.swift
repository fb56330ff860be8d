// Somebody wants to connect. The application answers once; silence is a no.

import Foundation
import WeirSupport

/// Somebody asks for a connection.
///
/// Only the first answer counts. One that is dropped unanswered is declined when its time is over.
public struct Invitation: Sendable, CustomStringConvertible {
    /// Who asks. On an unencrypted line this is what the other side says about itself.
    public let peer: Peer
    /// What the other side sent along: JSON, or nothing.
    public let context: Data
    private let answer: @Sendable (Answer) -> Void

    /// What an application says.
    public enum Answer: Sendable {
        /// Yes.
        case accept
        /// No, with words for people, which may be empty.
        case decline(String)
    }

    /// An invitation, for an adapter of your own.
    ///
    /// - Parameter answer: gets each answer; all but the first are to be ignored.
    public init(peer: Peer, context: Data, answer: @escaping @Sendable (Answer) -> Void) {
        self.peer = peer
        self.context = context
        self.answer = answer
    }

    /// Says yes. The connection then appears in `connections`.
    public func accept() { answer(.accept) }

    /// Says no; the other side's `connect` fails with `declined`.
    ///
    /// - Parameter words: for people, at most 1,024 bytes; more is cut off.
    public func decline(_ words: String = "") { answer(.decline(words)) }

    /// The context as a value.
    ///
    /// - Throws: `malformed` where the context is not JSON for such a value.
    public func context<Value: Decodable & Sendable>(as type: Value.Type) throws(PeerError) -> Value {
        do {
            return try JSONCoder().decode(type, from: context)
        } catch {
            throw .malformed("the context of \(peer.name)'s invitation: \(error)")
        }
    }

    /// As in `Invitation(from Desk)`.
    public var description: String { "Invitation(from \(peer.name))" }
}
