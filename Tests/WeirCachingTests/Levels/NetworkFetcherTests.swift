import Foundation
import Testing
import Weir

@testable import WeirCaching

#if canImport(FoundationNetworking)
import FoundationNetworking
import WeirTestSupport
#endif

@Suite struct NetworkFetcherTests {
    let server: TestServer
    init() throws { server = try TestServer() }

    /// What a fetch gave, as text without the address.
    func fetch(_ path: String, from fetcher: NetworkFetcher = NetworkFetcher(engine: URLSessionEngine())) async
        -> String
    {
        let url = server.url(path)
        do throws(CacheError) {
            let data = try await fetcher.value(forKey: url)
            return data.count > 20 ? "\(data.count) bytes" : String(decoding: data, as: UTF8.self)
        } catch .fetch(let failure, let source) {
            #expect(source == url.absoluteString)
            return "\(failure)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("/ok/hello", "hello"), ("/status/500", "the server answered with status 500"),
        ("/status/304", "the server answered with status 304"), ("/half", "the body ended after 5 of 10 bytes"),
        ("/empty", "the answer has no body"), ("/big/1000000", "1000000 bytes"), ("/chunks/100000", "100000 bytes"),
    ]) func eachAnswerIsAValueOrAnErrorOfItsOwn(path: String, expected: String) async {
        #expect(await fetch(path) == expected)
    }

    @Test(arguments: ["/hang-up", "/garbage"]) func noHTTPAtAllIsAFailedConnection(path: String) async {
        let text = await fetch(path)
        #expect(text.hasPrefix("the connection failed: ") || text == "the answer is not HTTP", "\(text)")
    }

    @Test(arguments: ["/big/20001", "/chunks/20001"]) func aBodyOverTheLimitIsTooLarge(path: String) async {
        let fetcher = NetworkFetcher(engine: URLSessionEngine(), limit: 20_000)
        let text = await fetch(path, from: fetcher)
        #expect(text.hasPrefix("a size of ") && text.contains("over the limit of 20000"), "\(text)")
        #expect(await fetch("/big/20000", from: fetcher) == "20000 bytes")
    }

    @Test func silenceIsATimeOut() async {
        let fetcher = NetworkFetcher(engine: URLSessionEngine(), timeout: .milliseconds(200))
        #expect(await fetch("/slow", from: fetcher) == "no answer within 0.2 s")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "relative"])
    func whatIsNotHTTPIsRefused(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await failure { () async throws(CacheError) in try await NetworkFetcher().value(forKey: url) }
        #expect(error == "could not fetch \(text): the answer is not HTTP")
    }

    @Test func cancellingTheTaskOrTheLastSubscriberEndsTheTransfer() async throws {
        let engine = URLSessionEngine()
        let fetcher = NetworkFetcher(engine: engine)
        let pooled = fetcher.pooled()
        let task = Task { [server] in
            await failure { () async throws(CacheError) in try await pooled.value(forKey: server.url("/slow")) }
        }
        let other = Heard(pooled.get(server.url("/slow")))
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == "cancelled before there was an answer")
        #expect(engine.underWay == 1, "the other one still waits")
        other.cancel()
        while engine.underWay > 0 { await Task.yield() }
        #expect(other.signals.value.isEmpty && pooled.underWay == 0)
        #expect(server.requests.count == 1)
        #expect(await fetch("/ok/after", from: fetcher) == "after")
    }

    /// With a URL cache each of these could stop the process.
    @Test func twoHundredEarlyCancelsTwentyTimesNeitherCrashNorHang() async throws {
        for round in 0..<20 {
            let engine = URLSessionEngine()
            let fetcher = NetworkFetcher(engine: engine)
            var numbers = Seeded(UInt64(round))
            for path in 0..<200 {
                let heard = Heard(fetcher.get(server.url(["/ok/x", "/slow", "/big/100000", "/hang-up"][path % 4])))
                for _ in 0..<Int.random(in: 0..<40, using: &numbers) { await Task.yield() }
                heard.cancel()
            }
            while engine.underWay > 0 { await Task.yield() }
            #expect(await fetch("/ok/alive", from: fetcher) == "alive")
        }
        server.letGo()
    }

    @Test func manyAtOnceAreAllAnswered() async throws {
        let fetcher = NetworkFetcher(engine: URLSessionEngine())
        let cache = MemoryLevel<URL, Data>(limit: 1_000_000).compose(fetcher).pooled()
        let count = try await withThrowingTaskGroup(of: Int.self) { [server] group in
            for number in 0..<100 {
                group.addTask { try await cache.value(forKey: server.url("/ok/\(number % 20)")).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 5 * (10 + 20))
        #expect(cache.statistics.loads >= 20 && server.requests.count == cache.statistics.loads)
        #expect(cache.statistics.loads + cache.statistics.joined + cache.statistics.hits == 100)
    }

    @Test func theRequestBuilderAddsHeaders() async {
        let asked = Noted<[URLRequest]>([])
        struct Engine: FetchEngine {
            let asked: Noted<[URLRequest]>
            func fetch(_ request: URLRequest, limit: Int) -> Observable<FetchAnswer, CacheError> {
                asked.append(request)
                return .just(FetchAnswer(status: 201, body: Data("made".utf8)))
            }
        }
        let fetcher = NetworkFetcher(engine: Engine(asked: asked), limit: 7, timeout: .milliseconds(2_500)) { url in
            var request = URLRequest(url: url)
            request.setValue("secret", forHTTPHeaderField: "Authorization")
            return request
        }
        #expect(await fetch("/x", from: fetcher) == "made")
        #expect(asked.value.first?.value(forHTTPHeaderField: "Authorization") == "secret")
        #expect(asked.value.first?.timeoutInterval == 2.5)
    }
}
