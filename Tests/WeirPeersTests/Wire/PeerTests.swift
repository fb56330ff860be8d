import Testing

@testable import WeirPeers

@Suite struct PeerTests {
    @Test func idsKeepTheirBytesAndTheirOrder() throws {
        let low = try #require(Peer.ID(bytes: Array(repeating: 0, count: 31) + [1]))
        let high = try #require(Peer.ID(bytes: [1] + Array(repeating: 0, count: 31)))
        #expect(low < high && !(high < low) && low != high)
        #expect(high.bytes == [1] + Array(repeating: 0, count: 31))
        #expect(high.description == "01000000")
        #expect(Peer.ID(bytes: Array(repeating: 0, count: 31)) == nil)
        #expect(Peer.ID(bytes: Array(repeating: 0, count: 33)) == nil)
    }

    @Test func aPeerIsItsId() {
        let id = Peer.ID.random()
        #expect(Peer(id: id, name: "old") == Peer(id: id, name: "new"))
        #expect(Set([Peer(id: id, name: "old"), Peer(id: id, name: "new")]).count == 1)
    }
}
