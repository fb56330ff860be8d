import Testing
import WeirTesting

@testable import WeirPeers

/// A method that acts has a form with `await`, which acts now, and a stream, which acts each time somebody subscribes.
@Suite(.timeLimit(.minutes(5))) struct PeerCommandTests {
    /// Reads its number when it is encoded.
    private final class Letter: Encodable, Sendable {
        let written = Guarded(0)
        func encode(to encoder: any Encoder) throws {
            var box = encoder.singleValueContainer()
            try box.encode(
                written.withLock { number in
                    number += 1; return number
                })
        }
    }

    @Test func aSendIsColdAndActsAtEachSubscription() async throws {
        let world = World(.memory)
        let (desk, phone) = try await world.pair()
        let received = Recorder(phone.receive(Int.self))
        let letter = Letter()
        let command: Observable<Never, PeerError> = desk.send(letter, to: phone.peer)
        world.pass()
        #expect(letter.written.withLock { $0 } == 0)
        for _ in 0..<3 { #expect(await world.send(command) == nil) }
        #expect(received.elements.map(\.value) == [1, 2, 3])
    }

    @Test func aConnectIsColdAndActsAtEachSubscription() async throws {
        let world = World(.memory)
        let (desk, phone) = (world.peer("Desk"), world.peer("Phone", accepts: false))
        let asked = Recorder(phone.invitations)
        let command: Observable<Connection, PeerError> = desk.connect(to: phone.peer, context: "hello")
        world.pass()
        #expect(asked.elements.isEmpty)
        for round in 1...2 {
            let connecting = world.run(command)
            await asked.wait { $0.elements.count == round }
            asked.elements.last?.decline("not now")
            world.pass()
            #expect(await connecting.end() == .declined("not now"))
        }
    }

    @Test func cancellingTheTaskThatConnectsWithdraws() async throws {
        let world = World(.memory)
        let (desk, phone) = (world.peer("Desk"), world.peer("Phone", accepts: false))
        let asked = Recorder(phone.invitations)
        let connections = Recorder(desk.connections)
        let connecting = Task { () async -> PeerError? in
            do throws(PeerError) {
                try await desk.connect(to: phone.peer)
                return nil
            } catch { return error }
        }
        while asked.elements.isEmpty { world.pass(); await Task.yield() }
        connecting.cancel()
        #expect(await connecting.value == .cancelled)
        world.pass()
        asked.elements.first?.accept()
        world.pass()
        #expect(connections.elements == [[]])
        try await world.connect(phone, desk)
    }
}
