// Messages of the client: data, strings and JSON out; the same in, each read as what the receiver asks for.

import Foundation
import WeirSupport

/// A message that was read as a value.
public struct Message<Value: Sendable>: Sendable, CustomStringConvertible {
    /// What it says.
    public let value: Value
    /// Who sent it.
    public let peer: Peer

    /// From a value and its sender.
    public init(value: Value, peer: Peer) {
        self.value = value
        self.peer = peer
    }

    /// As in `hello (from Desk)`.
    public var description: String { "\(value) (from \(peer.name))" }
}

extension Message: Equatable where Value: Equatable {}

extension LocalPeer {
    /// The most bytes of JSON that are read; the session's own limit is lower or the same.
    private static let coder = JSONCoder(limits: JSONGuard(size: 64 << 20))

    // MARK: - Sending

    /// Sends data: finishes when the other side's stack has it, or fails. Cancel withdraws what has not left.
    public func send(_ data: Data, to peer: Peer) -> Observable<Never, PeerError> {
        session.send(.data, data, to: peer)
    }

    /// Sends a string: finishes when the other side's stack has it, or fails. Cancel withdraws what has not left.
    public func send(_ string: String, to peer: Peer) -> Observable<Never, PeerError> {
        session.send(.string, Data(string.utf8), to: peer)
    }

    /// Sends a value as JSON: finishes when the other side's stack has it, or fails. Cancel withdraws what has not left.
    /// Each subscription sends the value as it is then.
    public func send<Value: Encodable & Sendable>(_ value: Value, to peer: Peer) -> Observable<Never, PeerError> {
        Observable<Value, PeerError>.just(value).map { value throws(PeerError) in
            do {
                return try Self.coder.encode(value)
            } catch {
                throw .malformed("a \(Value.self) cannot be sent: \(error)")
            }
        }.flatMap { [session] bytes in session.send(.json, bytes, to: peer) }
    }

    /// Sends data, now; returns when the other side's stack has it.
    public func send(_ data: Data, to peer: Peer) async throws(PeerError) {
        let command: Observable<Never, PeerError> = send(data, to: peer)
        try await end(of: command)
    }

    /// Sends a string, now; returns when the other side's stack has it.
    public func send(_ string: String, to peer: Peer) async throws(PeerError) {
        let command: Observable<Never, PeerError> = send(string, to: peer)
        try await end(of: command)
    }

    /// Sends a value as JSON, now; returns when the other side's stack has it.
    public func send<Value: Encodable & Sendable>(_ value: Value, to peer: Peer) async throws(PeerError) {
        let command: Observable<Never, PeerError> = send(value, to: peer)
        try await end(of: command)
    }

    // MARK: - Receiving

    /// Data, as it arrives.
    public func receive(_ type: Data.Type) -> Observable<Message<Data>, Never> {
        session.messages.compactMap { message in
            message.kind == .data ? Message(value: message.bytes, peer: message.peer) : nil
        }
    }

    /// Strings, as they arrive. One that is not UTF-8 goes to `errors`, and the next one arrives.
    public func receive(_ type: String.Type) -> Observable<Message<String>, Never> { good(results(of: String.self)) }

    /// JSON messages, read as values. One that cannot be read as such goes to `errors`, and the next one arrives.
    public func receive<Value: Decodable & Sendable>(_ type: Value.Type) -> Observable<Message<Value>, Never> {
        good(results(of: type))
    }

    /// Strings, each as itself or as the reason why it is none.
    public func results(of type: String.Type) -> Observable<Message<Result<String, PeerError>>, Never> {
        session.messages.compactMap { message in
            guard message.kind == .string else { return nil }
            let text = String(validating: message.bytes, as: UTF8.self)
            let result =
                text.map(Result.success)
                ?? .failure(PeerError.malformed("\(message.bytes.count) bytes from \(message.peer.name) are not UTF-8"))
            return Message(value: result, peer: message.peer)
        }
    }

    /// JSON messages, each as a value or as the reason why it is none.
    public func results<Value: Decodable & Sendable>(
        of type: Value.Type
    ) -> Observable<Message<Result<Value, PeerError>>, Never> {
        session.messages.compactMap { message in
            guard message.kind == .json else { return nil }
            let result: Result<Value, PeerError>
            do {
                result = .success(try Self.coder.decode(type, from: message.bytes))
            } catch {
                result = .failure(.malformed("from \(message.peer.name): \(error)"))
            }
            return Message(value: result, peer: message.peer)
        }
    }

    private func good<Value>(
        _ results: Observable<Message<Result<Value, PeerError>>, Never>
    ) -> Observable<Message<Value>, Never> {
        results.compactMap { [faults] message in
            switch message.value {
            case .success(let value): return Message(value: value, peer: message.peer)
            case .failure(let error):
                faults.report(error)
                return nil
            }
        }
    }
}
