import Foundation
import Testing
import WeirPeers
import WeirTesting

@Suite(.timeLimit(.minutes(5))) struct ConnectingTests {
    // MARK: Contract 1: found once, lost, updated

    @Test(arguments: Medium.allCases)
    func aPeerIsFoundWhoeverStartsFirst(medium: Medium) async throws {
        let world = World(medium)
        let early = world.peer("Early")
        let nearby = Recorder(early.nearbyPeers)
        let late = world.peer("Late")
        let found = await nearby.wait { $0.elements.last?.count == 1 }.elements
        #expect(found.last?.first?.peer == late.peer)
        #expect(found.count == 2)
        #expect(
            await Recorder(late.nearbyPeers).wait { $0.elements.last?.count == 1 }.elements.last?.first?.peer
                == early.peer)
        late.stopAdvertising()
        #expect(await nearby.wait { $0.elements.last?.isEmpty == true }.elements.count == 3)
        early.stopBrowsing()
        #expect(await nearby.count(3).last == [])
    }

    @Test(arguments: Medium.allCases)
    func aNewNameUpdatesTheEntryOfThatId(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let nearby = Recorder(desk.nearbyPeers)
        let id = Peer.ID.random()
        let old = world.peer("Old name", id: id)
        #expect(await nearby.count(2).last?.map(\.peer.name) == ["Old name"])
        let new = world.peer("New name", id: id)
        #expect(await nearby.count(3).last?.map(\.peer.name) == ["New name"])
        old.disconnect()
        // Who comes after that shows that it took nothing away.
        let witness = world.peer("Witness")
        #expect(
            await Set(nearby.count(4).last?.map(\.peer.name) ?? []) == ["New name", "Witness"]
                && witness.peer != new.peer)
        #expect(new.peer == old.peer)
    }

    // MARK: Contract 2: accept, decline, silence, nobody

    @Test(arguments: Medium.allCases)
    func acceptedBothSidesSeeOneConnection(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let phone = world.peer("Phone")
        let there = Recorder(phone.connectedPeers)
        let here = Recorder(desk.connectedPeers)
        let connection = try await world.run(desk.connect(to: phone.peer)).one()
        #expect(connection.peer == phone.peer && connection.isOutgoing)
        #expect(connection.peer.name == "Phone")
        #expect(await there.count(1) == [desk.peer])
        #expect(here.elements == [phone.peer])
        // Asking again gives what there is, from either side.
        #expect(try await world.run(desk.connect(to: phone.peer)).one() == connection)
        #expect(try await world.run(phone.connect(to: desk.peer)).one().isOutgoing == false)
        #expect(there.elements.count == 1 && here.elements.count == 1)
    }

    @Test(arguments: Medium.allCases)
    func declinedIsDeclinedWithTheWordsAndNoSecondTry(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let phone = world.peer("Phone", accepts: false)
        let invitations = Recorder(phone.invitations)
        let connecting = world.run(desk.connect(to: phone.peer, context: ["room": 7]))
        let invitation = try #require(await invitations.count(1).first)
        #expect(try invitation.context(as: [String: Int].self) == ["room": 7])
        #expect(invitation.peer == desk.peer)
        invitation.decline("not today")
        invitation.accept()
        world.pass()
        #expect(await connecting.end() == .declined("not today"))
        world.pass(.seconds(60))
        #expect(invitations.elements.count == 1)
        #expect(Recorder(phone.connections).elements == [[]])
    }

    @Test(arguments: Medium.allCases)
    func silenceTimesOut(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let phone = world.peer("Phone", accepts: false)
        let invitations = Recorder(phone.invitations)
        let connecting = world.run(desk.connect(to: phone.peer, timeout: .seconds(8)))
        _ = await invitations.count(1)
        world.clock.advance(by: .seconds(8))
        #expect(await connecting.end() == .timedOut("Phone did not answer within 8.0 seconds"))
        // Whoever answers once the withdrawal has arrived answers nobody.
        guard medium == .memory else { return }
        world.pass()
        invitations.elements.first?.accept()
        world.pass()
        #expect(Recorder(phone.connections).elements == [[]])
    }

    @Test(arguments: Medium.allCases)
    func anInvitationThatNobodyAnswersIsDeclinedInTime(medium: Medium) async throws {
        let world = World(medium)
        let desk = world.peer("Desk")
        let phone = world.peer("Phone", accepts: false)
        let invitations = Recorder(phone.invitations)
        let connecting = world.run(desk.connect(to: phone.peer, timeout: .seconds(90)))
        _ = await invitations.count(1)
        world.clock.advance(by: .seconds(31))
        #expect(await connecting.end() == .declined("nobody answered within 30.0 seconds"))
    }

    @Test func nobodyThereIsUnreachableAtOnce() async throws {
        for medium in Medium.allCases {
            let world = World(medium)
            let desk = world.peer("Desk")
            let phone = world.peer("Phone")
            let nearby = Recorder(desk.nearbyPeers)
            _ = await nearby.wait { $0.elements.last?.count == 1 }
            let stranger = Peer(id: .random(), name: "Stranger")
            guard case .unreachable = await world.run(desk.connect(to: stranger)).end() else {
                Issue.record("\(medium): a stranger")
                continue
            }
            phone.stopAdvertising()
            world.pass()
            guard case .unreachable = await world.run(desk.connect(to: phone.peer)).end() else {
                Issue.record("\(medium): a peer that went")
                continue
            }
            guard case .unreachable = await world.run(desk.connect(to: desk.peer)).end() else {
                Issue.record("\(medium): itself")
                continue
            }
        }
    }

    @Test func cancelWithdrawsTheInvitation() async throws {
        for medium in Medium.allCases {
            let world = World(medium)
            let desk = world.peer("Desk")
            let phone = world.peer("Phone", accepts: false)
            let invitations = Recorder(phone.invitations)
            let connecting = world.run(desk.connect(to: phone.peer))
            let invitation = try #require(await invitations.count(1).first)
            connecting.cancel()
            world.pass()
            invitation.accept()
            world.pass()
            #expect(Recorder(desk.connections).elements == [[]])
            // The next one is as good as the first.
            let again = world.run(desk.connect(to: phone.peer))
            await invitations.count(2)[1].accept()
            world.pass()
            _ = try await again.one()
        }
    }

    // MARK: Contract 3: both at once

    @Test(arguments: [(Medium.memory, 1_000), (.tcp, 50)])
    func contract3BothAtOnceEndInOneConnection(medium: Medium, rounds: Int) async throws {
        var outgoing = [0, 0]
        for round in 0..<rounds {
            let world = World(medium)
            // Every other round nobody accepts: two wishes are consent enough.
            let one = world.peer("One", accepts: round % 2 == 0)
            let other = world.peer("Other", accepts: round % 2 == 0)
            let seen = [Recorder(one.connectedPeers), Recorder(other.connectedPeers)]
            if medium == .tcp {
                _ = await Recorder(one.nearbyPeers).wait { $0.elements.last?.count == 1 }
                _ = await Recorder(other.nearbyPeers).wait { $0.elements.last?.count == 1 }
            }
            let commands = [Recorder(one.connect(to: other.peer)), Recorder(other.connect(to: one.peer))]
            world.pass()
            let near = try await commands[0].one()
            let far = try await commands[1].one()
            #expect(near.isOutgoing != far.isOutgoing, "round \(round)")
            if near.isOutgoing == (one.peer.id > other.peer.id) { outgoing[0] += 1 } else { outgoing[1] += 1 }
            #expect(await seen[0].count(1) == [other.peer], "round \(round)")
            #expect(await seen[1].count(1) == [one.peer], "round \(round)")
            #expect(await world.send(one.send("still there", to: other.peer)) == nil, "round \(round)")
            #expect(seen[0].elements.count == 1 && seen[1].elements.count == 1, "round \(round)")
        }
        print("\(medium): the greater id's line stayed \(outgoing[0]) times, the other one \(outgoing[1]) times")
        if medium == .memory { #expect(outgoing == [rounds, 0]) }
    }

    // MARK: Contract 8: late subscribers

    @Test(arguments: Medium.allCases)
    func aLateSubscriberGetsThePresentConnections(medium: Medium) async throws {
        let world = World(medium)
        let (desk, phone) = try await world.pair()
        let tablet = world.peer("Tablet")
        try await world.connect(desk, tablet)
        #expect(Recorder(desk.connections).elements.map { $0.map(\.peer) } == [[phone.peer, tablet.peer]])
        desk.disconnect(from: phone.peer)
        world.pass()
        #expect(await Recorder(phone.connections).wait { $0.elements.last == [] }.elements.last == [])
        #expect(Recorder(desk.connections).elements.map { $0.map(\.peer) } == [[tablet.peer]])
    }
}
