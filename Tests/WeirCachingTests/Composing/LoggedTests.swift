import Foundation
import Testing
import Weir

@testable import WeirCaching

/// `logged()` and `WeirCaching.log`. The log is everybody's, so the test looks at messages of its own names only.
@Suite(.serialized) struct LoggedTests {
    /// Runs `body` and answers the messages that begin with `name`.
    func messages(of name: String, _ body: () async throws -> Void) async rethrows -> [String] {
        let said = Noted<[String]>([])
        let old = WeirCaching.log
        WeirCaching.log = { message, level in
            if message.hasPrefix(name) { said.append("\(level) \(message.dropFirst(name.count))") }
        }
        defer { WeirCaching.log = old }
        try await body()
        return said.value
    }

    @Test func eachCallAndEachAnswerIsAMessage() async throws {
        let said = try await messages(of: "photos: ") {
            let cache = MemoryLevel<String, String>(limit: 5).logged("photos")
            try await cache.set("A", forKey: "a")
            _ = try await cache.value(forKey: "a")
            _ = await failure { () async throws(CacheError) in try await cache.value(forKey: "b") }
            _ = await failure { () async throws(CacheError) in try await cache.set("too long", forKey: "b") }
            try await cache.remove("a")
            try await cache.clear()
            cache.onMemoryPressure(.critical)
        }
        #expect(
            said == [
                "debug set a", "debug get a: hit", "debug get b: not found in any level", "debug set b",
                "warning set b: \(CacheError.tooLarge(size: 8, limit: 5))", "debug remove a", "debug clear",
                "info pressure critical",
            ])
    }

    @Test func aFailedWriteBackIsSaidAndDoesNotFailTheGet() async throws {
        let said = try await messages(of: "only-here") {
            let cache = BrokenLevel<String, String>().compose(Fetcher { $0 })
            let answer = try await cache.value(forKey: "only-here")
            #expect(answer == "only-here")
        }
        #expect(said.count == 2 && said.allSatisfy { $0.hasPrefix("warning : ") })
        #expect(said.last == "warning : could not be written to a level above: \(BrokenLevel<Int, Int>().error)")
    }

    /// The name `log` stays the logarithm's, too.
    @Test func theLogarithmIsStillThere() {
        #expect(log(1.0) == 0)
        #expect(LogLevel.debug < .info && LogLevel.warning < .error)
    }
}
