import Foundation
import Testing
import WeirTestSupport
import WeirTesting

@testable import WeirPeers

@Suite(.timeLimit(.minutes(5))) struct NetworkSessionTests {
    private func quiet(
        _ name: String, host: String = "127.0.0.1", port: UInt16 = 0, identity: PeerIdentity = .fresh
    ) -> NetworkSession {
        NetworkSession(
            name: name, encryption: .none, identity: identity, host: host, port: port, on: VirtualClock(), log: { _ in }
        )
    }

    @Test func aPortInUseIsInErrorsAndNamesHostAndPort() async throws {
        let first = LocalPeer(quiet("First"))
        first.startAdvertising()
        let port = try #require((first.session as? NetworkSession)?.port)
        let second = LocalPeer(quiet("Second", port: port))
        let errors = Recorder(second.errors)
        second.startAdvertising()
        #expect(errors.elements == [.nameTaken("port \(port) on 127.0.0.1")])
        #expect(errors.elements.first?.description == "port \(port) on 127.0.0.1 is taken; choose another one")
        first.stopAdvertising()
        #expect((first.session as? NetworkSession)?.port == nil)
    }

    @Test func withoutEncryptionItSaysSoOnce() async throws {
        let lines = Guarded<[String]>([])
        let session = NetworkSession(
            name: "Desk", encryption: .none, host: "127.0.0.1", on: VirtualClock(),
            log: { line in lines.withLock { $0.append(line) } })
        let desk = LocalPeer(session)
        #expect(lines.withLock { $0 }.isEmpty)
        desk.startAdvertising()
        desk.stopAdvertising()
        desk.startAdvertising()
        _ = await Recorder(desk.connect(host: "127.0.0.1", port: 9)).end()
        #expect(
            lines.withLock { $0 } == [
                "WeirPeers: “Desk” talks without encryption; others can read and change what it says"
            ])
    }

    @Test func encryptionThatIsNotThereIsAnErrorAndNothingIsSent() async throws {
        let desk = LocalPeer(NetworkSession(name: "Desk", on: VirtualClock()))
        let errors = Recorder(desk.errors)
        desk.startAdvertising()
        let error = PeerError.unavailable(
            "encryption: TLS comes with a later version; write encryption: .none to do without")
        #expect(errors.elements == [error])
        #expect(await Recorder(desk.connect(host: "127.0.0.1", port: 9)).end() == error)
        #expect((desk.session as? NetworkSession)?.port == nil)
    }

    @Test func aNameThatCannotBeShownIsAnError() async throws {
        let desk = LocalPeer(quiet(String(repeating: "long", count: 16)))
        let errors = Recorder(desk.errors)
        desk.startAdvertising()
        guard case .unavailable(let what) = errors.elements.first else {
            Issue.record("\(errors.elements)")
            return
        }
        #expect(what.hasSuffix("has 64 bytes, the limit is 63"))
        #expect(await Recorder(desk.connect(host: "127.0.0.1", port: 9)).end() == errors.elements.first)
    }

    @Test func withoutDiscoveryBrowsingSaysWhatToDo() async throws {
        let desk = LocalPeer(quiet("Desk"))
        let errors = Recorder(desk.errors)
        desk.startBrowsing()
        #expect(
            errors.elements.map(\.description) == [
                "not available: discovery, because this session was given none; connect by host and port"
            ])
        let memory = LocalPeer(InMemorySession(name: "Memory", on: InMemoryNetwork(on: VirtualClock())))
        guard case .unavailable = await Recorder(memory.connect(host: "localhost", port: 1)).end() else {
            Issue.record("a network in memory has no ports")
            return
        }
    }

    @Test func anIdentityIsMadeOnceAndKept() throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("identity")
        let first = quiet("Desk", identity: .kept(url)).local.id
        #expect(quiet("Other", identity: .kept(url)).local.id == first)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.names == ["identity"])
        #expect(quiet("Fresh").local.id != quiet("Fresh").local.id)
    }

    @Test func aDamagedIdentityIsAnErrorAndStaysAsItIs() async throws {
        let folder = try Folder()
        let url = try folder.file("identity", [1, 2, 3])
        let desk = LocalPeer(quiet("Desk", identity: .kept(url)))
        guard case .io(let what) = await Recorder(desk.connect(host: "127.0.0.1", port: 9)).end() else {
            Issue.record("a damaged identity")
            return
        }
        #expect(what.contains("is damaged"))
        #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
    }
}
