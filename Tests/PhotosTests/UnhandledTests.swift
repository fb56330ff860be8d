import Foundation
import Testing
import Weir
import WeirCaching
import WeirPeers
import WeirRouting
import WeirTestSupport
import WeirTesting

/// The hook is one for the whole program, so whatever sets it stands in this suite.
@Suite(.serialized) struct UnhandledTests {
    /// Runs `body` while a hook listens, and answers what it heard that `isMine`. Other tests may report meanwhile.
    private func heard(
        _ isMine: @escaping @Sendable (Unhandled) -> Bool, _ body: @Sendable () async throws -> Void
    ) async rethrows -> [Unhandled] {
        let heard = Guarded<[Unhandled]>([])
        Unhandled.hook = { unhandled in if isMine(unhandled) { heard.withLock { $0.append(unhandled) } } }
        defer { Unhandled.hook = nil }
        try await body()
        return heard.withLock { $0 }
    }

    @Test func theHookTakesEachUntilItIsTakenBack() async {
        struct Flood: Error {}
        let name = "the gauge of \(#function)"
        let line: UInt = #line + 2
        let all = await heard({ $0.message == name }) {
            for _ in 0..<2 { Unhandled.report(name, Flood()) }
            #expect(Unhandled.hook != nil)
        }
        #expect(all.count == 2 && all.allSatisfy { $0.error is Flood })
        #expect(all.first?.description == "\(name): Flood() (\(#fileID):\(line))")
        #expect(Unhandled.hook == nil)
    }

    @Test func theHookMaySetTheHookAndReport() async {
        let count = Guarded(0)
        Unhandled.hook = { _ in
            count.withLock { $0 += 1 }
            Unhandled.hook = nil
        }
        Unhandled.report("the hook that takes itself back")
        Unhandled.report("the hook that takes itself back")
        #expect(count.withLock { $0 } == 1 && Unhandled.hook == nil)
    }

    @Test func withoutAHookTheFirstAtEachPlaceIsPrinted() throws {
        let folder = try Folder()
        let name = "nobody hears of \(#function)"
        let file = open("\(folder.path)/errors", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let errors = dup(2)
        dup2(file, 2)
        let line: UInt = #line + 1
        for number in 1...3 { Unhandled.report("\(name), \(number)") }
        dup2(errors, 2)
        close(errors)
        close(file)
        // Other tests may have printed meanwhile.
        let printed = try String(contentsOf: URL(filePath: "\(folder.path)/errors"), encoding: .utf8)
        let own = printed.split(separator: "\n").filter { $0.contains(name) }
        #expect(own == ["Weir: \(name), 1 (\(#fileID):\(line))"])
    }

    @Test func aRouteThatIsNoPatternIsReportedWithThePlaceOfTheCall() async {
        let line: UInt = #line + 2
        let all = await heard({ $0.error is RoutePatternError && $0.file.description == #fileID }) {
            Router().map("/:id(float)") { _ in }
            Router().proxy("/:") { _ in .proceed }
            Router().map("/:id") { _ in }
        }
        #expect(all.map(\.line) == [line, line + 1])
    }

    @Test func aLevelThatFailsIsReportedAndTheGetAnswers() async throws {
        let key = UUID().uuidString
        let disk = DiskLevel<String, String>(directory: URL(filePath: "/dev/null/cache"), limit: 100_000)
        let cache = disk.compose(Fetcher { (key: String) in key.lowercased() })
        let all = try await heard({ $0.message.contains(key) }) {
            let value = try await cache.value(forKey: key)
            #expect(value == key.lowercased())
        }
        #expect(!all.isEmpty && all.allSatisfy { $0.error is CacheError })
        #expect(all.last?.message == "\(key): could not be written to a level above")
    }

    @Test func anErrorOfAPeerThatNobodySubscribesToIsReportedAndOneThatIsHeardIsNot() async {
        let name = String(repeating: "long", count: 16)
        let all = await heard({ ($0.error.map { "\($0)" } ?? "").contains(name) }) {
            let peer = LocalPeer(InMemorySession(name: name, on: InMemoryNetwork(on: VirtualClock())))
            peer.startAdvertising()
            let errors = Guarded(0)
            let token = peer.errors.subscribe { _ in errors.withLock { $0 += 1 } }
            peer.startAdvertising()
            #expect(errors.withLock { $0 } == 1)
            token.cancel()
            peer.startBrowsing()
        }
        #expect(all.count == 2 && all.allSatisfy { $0.error is PeerError })
    }

    /// Sends all of it at the first request, whatever that asks for.
    private func flood(_ count: Int) -> Observable<Int, Never> {
        Observable { observer in
            let down = Guarded<Observer<Int, Never>?>(observer)
            return Subscription(
                request: { _ in
                    let taken = down.withLock { down in
                        defer { down = nil }
                        return down
                    }
                    for number in 0..<(taken == nil ? 0 : count) { _ = taken?.next(number) }
                    taken?.done(.finished)
                }, cancel: {})
        }
    }

    @Test func aStreamThatSendsMoreThanItWasAskedForIsReportedAndLosesNothing() async {
        let all = await heard({ $0.message.contains("more elements than were asked for") }) {
            let streams: [(Observable<Int, Never>, [Int])] = [
                (flood(1_000).receive(on: SerialScheduler(), prefetch: 2), Array(0..<1_000)),
                (zip(flood(1_000), Observable(0..<1_000)).map { $0 + $1 }, (0..<1_000).map { $0 * 2 }),
                (combineLatest(.just(1), flood(1_000)).map { $0 + $1 }, Array(1...1_000)),
            ]
            for (stream, expected) in streams {
                var elements: [Int] = []
                for await number in stream.values(prefetch: 1) { elements.append(number) }
                #expect(elements == expected)
            }
            // What was not taken is freed.
            var iterator = streams[1].0.values(prefetch: 1).makeAsyncIterator()
            #expect(await iterator.next() == 0)
        }
        #expect(all.count == 4)
    }
}
