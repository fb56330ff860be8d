import Foundation
import Testing

@testable import WeirTransport

@Suite struct TCPTests {
    @Test(arguments: ["127.0.0.1", "::1", "[::1]", "localhost"])
    func bytesGoBothWays(host: String) async throws {
        let pair = try await Pair(host: host)
        #expect(pair.near.write(Array("to the far end".utf8)) == .room)
        #expect(try await bytes(from: pair.far) == Array("to the far end".utf8))
        #expect(pair.far.write(Array("and back".utf8)) == .room)
        #expect(try await bytes(from: pair.near) == Array("and back".utf8))
        #expect(pair.near.remote.port == pair.listener.endpoint.port)
        #expect(pair.far.remote == pair.near.local)
    }

    @Test func listeningOnAllAddressesTakesBothFamilies() async throws {
        let arrivals = Mailbox<TCPConnection>()
        let listener = try TCPListener(Endpoint(host: "::", port: 0)) { arrivals.put($0) }
        let old = try await dial(Endpoint(host: "127.0.0.1", port: listener.endpoint.port))
        #expect(try await arrivals.next().remote == Endpoint(host: "127.0.0.1", port: old.local.port))
        let new = try await dial(Endpoint(host: "::1", port: listener.endpoint.port))
        #expect(try await arrivals.next().remote == new.local)
    }

    @Test func moreThanTheSocketTakesWaitsAndArrivesWhole() async throws {
        let pair = try await Pair()
        let room = Mailbox<Void>()
        pair.near.onRoom { room.put(()) }
        let piece = pattern(600_000)
        var full = 0
        async let arrived = all(from: pair.far)
        for _ in 0..<40 {
            if pair.near.write(piece) == .full {
                full += 1
                try await room.next()
            }
        }
        pair.near.finish()
        let received = try await arrived
        #expect(received.count == 24_000_000)
        #expect(received == Array(repeating: piece, count: 40).flatMap { $0 })
        #expect(full > 0)
    }

    @Test func aReaderThatDoesNotAskHoldsTheWriterBack() async throws {
        let pair = try await Pair()
        let room = Mailbox<Int>()
        pair.near.onRoom { room.put(1) }
        var written = 0
        while pair.near.write(pattern(1 << 20)) == .room { written += 1 }
        // The socket buffers of both ends take some; the queue takes the rest and says so.
        #expect(written < 64)
        let total = (written + 1) << 20
        pair.near.finish()
        #expect(try await all(from: pair.far).count == total)
        #expect(try await room.next() == 1)
    }

    @Test func eachFullIsFollowedByOneSignal() async throws {
        let pair = try await Pair()
        let room = Mailbox<Void>()
        let count = Counter()
        pair.near.onRoom {
            count.tally.add()
            room.put(())
        }
        let piece = pattern(1 << 20)
        for _ in 0..<5 {
            var written = piece.count
            while pair.near.write(piece) != .full { written += piece.count }
            #expect(try await exactly(written, from: pair.far) == written)
            try await room.next()
        }
        #expect(count.tally.value == 5)
    }

    @Test func halfCloseLeavesTheOtherWayOpen() async throws {
        let pair = try await Pair()
        _ = pair.near.write([1, 2, 3])
        pair.near.finish()
        #expect(pair.near.write([4]) == .closed)
        #expect(try await all(from: pair.far) == [1, 2, 3])
        #expect(pair.far.write([9, 8]) == .room)
        pair.far.finish()
        #expect(try await all(from: pair.near) == [9, 8])
        #expect(try await bytes(from: pair.near) == nil)
    }

    @Test func closeSendsWhatWaitsFirst() async throws {
        var pair = try await Optional(Pair())
        let far = try #require(pair?.far)
        let sent = pattern(5_000_000)
        _ = pair?.near.write(sent)
        pair?.near.close()
        #expect(pair?.near.write([1]) == .closed)
        pair = nil
        #expect(try await all(from: far) == sent)
    }

    @Test func lettingGoOfTheLastReferenceEndsTheOtherSide() async throws {
        var pair = try await Optional(Pair())
        let far = try #require(pair?.far)
        pair = nil
        #expect(try await all(from: far).isEmpty)
    }

    @Test func abortFromInsideAHandlerIsAllowedAndFinal() async throws {
        let pair = try await Pair()
        let calls = Mailbox<Int>()
        pair.near.read { [near = pair.near] _ in
            near.abort()
            near.read { _ in calls.put(2) }
            calls.put(1)
        }
        _ = pair.far.write([1])
        #expect(try await calls.next() == 1)
        #expect(pair.near.write([1]) == .closed)
        #expect(try await all(from: pair.far).isEmpty)
        calls.put(3)
        #expect(try await calls.next() == 3)
    }

    @Test func aResetIsAnErrorThatNamesTheOtherEnd() async throws {
        let pair = try await Pair()
        _ = pair.near.write([1, 2, 3])
        // An end that goes with unread bytes resets the connection.
        #expect(try await bytes(from: pair.far) == [1, 2, 3])
        _ = pair.near.write([4])
        pair.far.abort()
        await #expect(throws: TransportError.broken(pair.near.remote, "Connection reset by peer")) {
            _ = try await bytes(from: pair.near)
        }
    }
}

/// Holds a tally, which cannot be copied, for a closure.
private final class Counter: Sendable { let tally = Tally() }
