import Foundation
import Testing

@testable import WeirTransport

@Suite struct ListeningTests {
    @Test func aPortInUseIsAnErrorThatNamesHostAndPort() throws {
        let first = try TCPListener(Endpoint(host: "127.0.0.1", port: 0)) { _ in }
        let error = #expect(throws: TransportError.self) { try TCPListener(first.endpoint) { _ in } }
        #expect(error == .addressInUse(first.endpoint))
        #expect(
            error?.description == "port \(first.endpoint.port) on 127.0.0.1 is in use; choose another port, or 0")
    }

    @Test func anAddressOfAnotherMachineIsRefused() {
        let error = #expect(throws: TransportError.self) {
            try TCPListener(Endpoint(host: "192.0.2.1", port: 0)) { _ in }
        }
        #expect(error?.description == "cannot listen on 192.0.2.1:0: Cannot assign requested address")
    }

    @Test func aClosedListenerHandsOutNothingMore() async throws {
        let pair = try await Pair()
        pair.listener.close()
        _ = pair.near.write([7])
        #expect(try await bytes(from: pair.far) == [7])
        #expect(Endpoint(host: "::1", port: 80).description == "[::1]:80")
    }

    @Test func manyConnectionsTalkAtOnce() async throws {
        let arrivals = Mailbox<TCPConnection>()
        let listener = try TCPListener(Endpoint(host: "127.0.0.1", port: 0)) { arrivals.put($0) }
        let echo = Task {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<200 {
                    let far = try await arrivals.next()
                    group.addTask {
                        while let more = try await bytes(from: far) { _ = far.write(more) }
                        far.finish()
                    }
                }
            }
        }
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let near = try await dial(listener.endpoint)
                    _ = near.write(pattern(1_000 + number))
                    near.finish()
                    return try await all(from: near) == pattern(1_000 + number)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try await echo.value
        #expect(right == 200)
    }
}
